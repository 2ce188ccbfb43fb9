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
  private(set) var totals = EndRecord.Blobs()

  mutating func addPart(bytes: Int) {
    totals.parts += 1
    totals.bytes += bytes
  }

  mutating func add(_ id: BlobID, bytes: Int, parts: Int, sha256: SHA256Digest) {
    totals.count += 1
    blobs[id] = Facts(bytes: bytes, parts: parts, sha256: sha256)
    if let claim = claims[id], !claim.fits(bytes: Int64(bytes), sha256: sha256) { markBad(id) }
  }

  /// Rows come before the blobs they speak of.
  mutating func add(_ claim: BlobClaim, of id: BlobID) { claims[id] = claim }

  /// Takes a line of the inventory; nil for one that is none.
  ///
  /// A blob of other bytes than listed is the blob's own fault, one that is not there or is in
  /// other parts the export's.
  mutating func take(
    _ record: BlobRecord?,
    from inventory: EntryName,
    damaged: Set<BlobID>
  ) -> RasdError? {
    guard let record else {
      return RasdError(.integrity, .countMismatch, RasdError.place(inventory))
    }
    guard let facts = blobs[record.id] else {
      return damaged.contains(record.id)
        ? nil : ExportFile.missing(.blob(id: record.id, part: 0))
    }
    guard !facts.isListed, facts.parts == record.parts else {
      return RasdError(
        .integrity,
        .countMismatch,
        RasdError.place(.blob(id: record.id, part: 0))
      )
    }
    blobs[record.id]?.isListed = true
    if facts.bytes != record.bytes || facts.sha256 != record.sha256 { markBad(record.id) }
    return nil
  }

  /// Blobs that the inventory does not list.
  var unlisted: [BlobID] {
    blobs.filter { !$0.value.isListed }.map(\.key).sorted {
      $0.bytes.lexicographicallyPrecedes($1.bytes)
    }
  }

  var badBlobs: [Verification.BadBlob] {
    bad.values.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
  }

  private mutating func markBad(_ id: BlobID) {
    guard let facts = blobs[id] else { return }
    bad[id] = Verification.BadBlob(id: id, bytes: facts.bytes, sha256: facts.sha256)
  }
}
