import RasdContainer
package import RasdModel

/// What was got out of a damaged export, and what is known to be missing.
package struct Rescued: Sendable {
  /// The damaged export.
  package let source: String
  /// Where what was got went.
  package let path: String
  package private(set) var rows: [(table: String, had: Int, missing: [Range<Int>])] = []
  package private(set) var grades: [Grade: Int] = [:]
  package let unreadable: Int
  package private(set) var blobs = 0
  package private(set) var wholeBlobs = 0
  /// What entered an export or a store.
  package var written: Salvaged.Written?
  /// Whether anything was put at `path`.
  package var isWritten = false
  /// Whether nothing that the export held is known to be missing.
  let isWhole: Bool

  package var rowCount: Int { rows.reduce(0) { $0 + $1.had } }
  var isEmpty: Bool { rowCount == 0 && blobs == 0 }

  init(
    _ account: RescueAccount,
    _ tally: RescueTally,
    of export: DamagedExport,
    at source: String,
    to path: String
  ) {
    (self.source, self.path) = (source, path)
    unreadable = tally.unreadable
    for counts in tally.grades.values { grades.merge(counts, uniquingKeysWith: +) }
    for (table, stream) in account.tables.sorted(by: { $0.key < $1.key }) {
      rows.append((table.text, stream.count, stream.gaps))
    }
    let known = account.knownBlobs
    blobs = account.blobs.count
    wholeBlobs = known.count { account.isWhole($0, tally.blobs[$0]) }
    // Without its end record nobody knows what else the export held.
    isWhole =
      rows.allSatisfy { $0.missing.isEmpty } && wholeBlobs == known.count && unreadable == 0
      && export.manifestIsWhole && account.end != nil
      && account.lost.isEmpty && account.inPart.isEmpty
      && !grades.keys.contains { $0 < .plausible }
  }
}

extension RescueAccount {
  /// Blobs of which there is anything: bytes, or a line of the inventory.
  var knownBlobs: [BlobID] {
    Set(blobs.keys).union(inventory.keys).sorted { $0.text < $1.text }
  }

  /// Whether a blob as it was put together is all of it, and what the inventory says.
  func isWhole(_ blob: BlobID, _ joined: BlobJoiner.Joined?) -> Bool {
    guard let joined, let stream = blobs[blob], stream.isWhole, stream.total == joined.bytes
    else { return false }
    return inventory[blob].map { $0.sha256 == joined.sha256 } ?? true
  }
}
