import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// The blobs of a damaged export that are whole, read once more as they are written.
struct RescuedBlobs: SalvagedBlobs {
  private let export: DamagedExport
  private let credentials: Credentials
  private let plaintext: PlaintextPolicy
  private var wanted: [BlobID: SHA256Digest]
  private let mimes: [BlobID: String]

  /// Those that are there from their first byte to their last, and are what the inventory says.
  init(
    _ export: DamagedExport,
    _ credentials: Credentials,
    _ plaintext: PlaintextPolicy,
    _ account: RescueAccount,
    _ joined: [BlobID: BlobJoiner.Joined]
  ) {
    (self.export, self.credentials, self.plaintext) = (export, credentials, plaintext)
    wanted = joined.filter { account.isWhole($0.key, $0.value) }.mapValues(\.sha256)
    mimes = account.inventory.compactMapValues(\.mime)
  }

  var count: Int { wanted.count }

  /// Leaves out those that are not what their row says, and says so.
  mutating func leaveOutAltered(
    _ shelf: SalvageShelf,
    _ account: RescueAccount,
    path: String,
    _ run: Run
  ) throws(RasdError) {
    var reader = RowReader(sha256: SHA256.digest)
    var altered: [BlobID] = []
    let wanted = wanted
    try shelf.forEach(of: .attachments) { (entry) throws(RasdError) in
      let row = try? reader.read(line: entry.text.span, table: .attachments, namespace: .unnamed)
      guard case .attachment(let facts)? = row?.facts, let id = BlobID(facts.id),
        let digest = wanted[id], let bytes = account.blobs[id]?.count,
        !facts.claim.fits(bytes: Int64(bytes), sha256: digest)
      else { return }
      altered.append(id)
    }
    for id in altered {
      self.wanted[id] = nil
      try run.find(
        FindingEvent(
          .error,
          .blobHashMismatch,
          code: .integrity,
          subject: ["path": .text(path), "id": .text(id.text)]
        )
      )
    }
  }

  func write(to writer: ExportWriter) throws(RasdError) {
    guard !wanted.isEmpty else { return }
    var copier = Copier(Copies(writer: writer, blobs: self))
    _ = try export.rescue(credentials, plaintext: plaintext, into: &copier)
    guard try copier.finish() == wanted.count else { throw Self.changed }
  }

  fileprivate static var changed: RasdError { RasdError(.unavailable, .sourceChanged) }

  private final class Copier: RescueTaker {
    private var joiner = BlobJoiner()
    private var copies: Copies

    init(_ copies: Copies) { self.copies = copies }

    func row(_ line: Span<UInt8>, _ table: TableName, _ place: RescuePlace, number: Int) {}

    func blob(
      _ bytes: Span<UInt8>,
      _ id: BlobID,
      _ place: RescuePlace,
      offset: Int
    ) throws(RasdError) {
      try joiner.take(bytes, id, offset: offset, into: &copies)
    }

    /// Ends the last blob; how many were written.
    func finish() throws(RasdError) -> Int {
      try joiner.end(&copies)
      return copies.count
    }
  }

  /// Writes each blob that is wanted.
  private struct Copies: RescuedBlobTaker {
    let writer: ExportWriter
    let blobs: RescuedBlobs
    var count = 0
    private var isWanted = false

    init(writer: ExportWriter, blobs: RescuedBlobs) {
      (self.writer, self.blobs) = (writer, blobs)
    }

    mutating func begin(_ blob: BlobID) throws(RasdError) {
      isWanted = blobs.wanted[blob] != nil
      if isWanted { try writer.beginBlob(blob, mime: blobs.mimes[blob]) }
    }

    func append(_ bytes: Span<UInt8>) throws(RasdError) {
      if isWanted { try writer.append(bytes) }
    }

    func skip(_ count: Int) throws(RasdError) { if isWanted { throw RescuedBlobs.changed } }

    mutating func end(_ blob: BlobID) throws(RasdError) {
      guard isWanted else { return }
      count += 1
      guard try writer.endBlob()?.sha256 == blobs.wanted[blob] else { throw RescuedBlobs.changed }
    }
  }
}
