import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// What a rescue finds that may enter an export or a store: rows on a shelf, and which blobs are
/// whole.
///
/// Used from the one thread that the rescue runs on.
final class RescueShelf: RescueTaker {
  let shelf: SalvageShelf
  private let namespace: Namespace
  private let file: SHA256Digest
  private let run: Run
  private var reader = RescueReader()
  private var blob: BlobPieces?
  /// Of each blob whose bytes follow each other from its first, as far as they were had.
  private(set) var digests: [BlobID: SHA256Digest] = [:]
  private(set) var grades: [TableName: [Grade: Int]] = [:]
  /// Lines that open and are no rows.
  private(set) var unreadable = 0

  /// A blob at hand.
  private struct BlobPieces: ~Copyable {
    let id: BlobID
    var position = 0
    var digest = SHA256()
    var isTorn = false

    init(_ id: BlobID) { self.id = id }
  }

  init(_ admission: Admission, _ namespace: Namespace, _ file: SHA256Digest, _ run: Run) {
    shelf = SalvageShelf(admission, namespace)
    (self.namespace, self.file, self.run) = (namespace, file, run)
  }

  func row(
    _ line: Span<UInt8>,
    _ table: TableName,
    _ place: RescuePlace,
    number: Int
  ) throws(RasdError) {
    guard let grade = reader.grade(of: line, table, namespace, place) else {
      unreadable += 1
      return
    }
    grades[table, default: [:]][grade, default: 0] += 1
    run.progress.advance(rows: 1)
    let provenance = SalvageProvenance(
      entry: place.entry.text,
      line: number + 1,
      offset: place.offset,
      file
    )
    try shelf.take([UInt8](copying: line), table, grade, .live, provenance.json)
  }

  func blob(
    _ bytes: Span<UInt8>,
    _ id: BlobID,
    _ place: RescuePlace,
    offset: Int
  ) throws(RasdError) {
    if blob?.id != id {
      endBlob()
      blob = BlobPieces(id)
    }
    if blob?.position != offset { blob?.isTorn = true }
    blob?.digest.update(bytes)
    blob?.position = offset + bytes.count
  }

  func endBlob() {
    guard var done = blob.take(), !done.isTorn, digests[done.id] == nil else { return }
    digests[done.id] = done.digest.finish()
  }
}

/// The blobs of a damaged export that are whole, read once more as they are written.
struct RescuedBlobs: SalvagedBlobs {
  let export: DamagedExport
  let credentials: Credentials
  let plaintext: PlaintextPolicy
  let wanted: [BlobID: SHA256Digest]
  let mimes: [BlobID: String]

  var count: Int { wanted.count }

  func write(to writer: ExportWriter) throws(RasdError) {
    guard !wanted.isEmpty else { return }
    var copier = Copier(writer: writer, blobs: self)
    _ = try export.rescue(credentials, plaintext: plaintext, into: &copier)
    try copier.end()
    guard copier.written.count == wanted.count else { throw Self.changed }
  }

  fileprivate static var changed: RasdError { RasdError(.unavailable, .sourceChanged) }

  /// Writes the first run of pieces of each blob that is wanted.
  private struct Copier: RescueTaker {
    let writer: ExportWriter
    let blobs: RescuedBlobs
    var written: Set<BlobID> = []
    private var current: BlobID?

    init(writer: ExportWriter, blobs: RescuedBlobs) {
      (self.writer, self.blobs) = (writer, blobs)
    }

    mutating func row(
      _ line: Span<UInt8>,
      _ table: TableName,
      _ place: RescuePlace,
      number: Int
    ) {}

    mutating func blob(
      _ bytes: Span<UInt8>,
      _ id: BlobID,
      _ place: RescuePlace,
      offset: Int
    ) throws(RasdError) {
      if current != id {
        try end()
        guard blobs.wanted[id] != nil, written.insert(id).inserted else { return }
        current = id
        try writer.beginBlob(id, mime: blobs.mimes[id])
      }
      try writer.append(bytes)
    }

    mutating func end() throws(RasdError) {
      guard let id = current else { return }
      current = nil
      guard try writer.endBlob()?.sha256 == blobs.wanted[id] else { throw RescuedBlobs.changed }
    }
  }
}
