import RasdModel

/// The blobs that came by, held against the inventory and their own rows.
struct BlobLedger {
  private struct Facts {
    let bytes: Int
    let parts: Int
    let sha256: SHA256Digest
    var isListed = false
  }

  private var blobs: [BlobID: Facts] = [:]
  private var claims: [BlobID: BlobClaim] = [:]
  private var bad: [BlobID: Verification.BadBlob] = [:]
  /// Lines of the inventory whose blobs have not come.
  private var awaited: [BlobID: BlobRecord] = [:]
  private(set) var totals = EndRecord.Blobs()

  mutating func addPart(bytes: Int) {
    totals.parts += 1
    totals.bytes += bytes
  }

  mutating func add(
    _ id: BlobID,
    bytes: Int,
    parts: Int,
    sha256: SHA256Digest
  ) -> RasdError? {
    totals.count += 1
    blobs[id] = Facts(bytes: bytes, parts: parts, sha256: sha256)
    if let claim = claims[id], !claim.fits(bytes: Int64(bytes), sha256: sha256) { markBad(id) }
    return awaited.removeValue(forKey: id).flatMap { compare($0) }
  }

  /// Rows come before the blobs they speak of.
  mutating func add(_ claim: BlobClaim, of id: BlobID) { claims[id] = claim }

  /// Takes a line of the inventory; nil for one that is none.
  mutating func take(_ record: BlobRecord?, from inventory: EntryName) -> RasdError? {
    guard let record else {
      return RasdError(.integrity, .countMismatch, RasdError.place(inventory))
    }
    guard blobs[record.id] == nil else { return compare(record) }
    let isSecond = awaited.updateValue(record, forKey: record.id) != nil
    return isSecond ? Self.mismatch(record.id) : nil
  }

  /// Blobs that the inventory lists and that did not come, but for those known to be damaged.
  func missing(butFor damaged: Set<BlobID>) -> [BlobID] {
    awaited.keys.filter { !damaged.contains($0) }.sorted()
  }

  /// A blob of other bytes than listed is the blob's own fault, one in other parts the export's.
  private mutating func compare(_ record: BlobRecord) -> RasdError? {
    guard let facts = blobs[record.id], !facts.isListed, facts.parts == record.parts else {
      return Self.mismatch(record.id)
    }
    blobs[record.id]?.isListed = true
    if facts.bytes != record.bytes || facts.sha256 != record.sha256 { markBad(record.id) }
    return nil
  }

  /// Blobs that the inventory does not list.
  var unlisted: [BlobID] {
    blobs.filter { !$0.value.isListed }.map(\.key).sorted()
  }

  var badBlobs: [Verification.BadBlob] { bad.values.sorted { $0.id < $1.id } }

  static func mismatch(_ id: BlobID) -> RasdError {
    RasdError(.integrity, .countMismatch, RasdError.place(.blob(id: id, part: 0)))
  }

  private mutating func markBad(_ id: BlobID) {
    guard let facts = blobs[id] else { return }
    bad[id] = Verification.BadBlob(id: id, bytes: facts.bytes, sha256: facts.sha256)
  }
}
