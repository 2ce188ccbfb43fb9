package import RasdModel
internal import SQLCipherKit

// A batch names its blobs before it is committed. What a run leaves that was cut short in between
// is found again when its source is read again; where that never happens, nobody misses it.

extension Store {
  /// Whether a source was begun that no run has finished.
  package var hasUnfinishedSource: Bool { ledger.all.contains { $0.state == .merging } }

  /// Counts the files of the vault that no row knows of.
  package func leftovers() throws(RasdError) -> Int {
    var count = 0
    try forEachLeftover { _ in count += 1 }
    return count
  }

  /// Removes them, between two batches of the one writer; answers how many there were.
  @discardableResult
  package func removeLeftovers() throws(RasdError) -> Int {
    guard access == .writing, !connection.isInTransaction else { return 0 }
    var count = 0
    try forEachLeftover { (name) throws(RasdError) in
      vault.remove(named: name)
      count += 1
    }
    return count
  }

  private func forEachLeftover(
    _ body: (String) throws(RasdError) -> Void
  ) throws(RasdError) {
    // The beginnings of names: two that share one would spare a file, no more.
    var known: Set<Substring> = []
    let select = try connection.prepare(
      """
      SELECT sha256 FROM blobs UNION ALL SELECT sha256 FROM quarantine WHERE sha256 IS NOT NULL
      """
    )
    while try select.step() {
      if let sha256 = select.digest(0) { known.insert(vault.name(of: sha256).prefix(Self.told)) }
    }
    try vault.forEachName { (name) throws(RasdError) in
      if !known.contains(name.prefix(Self.told)) { try body(name) }
    }
  }

  /// Characters of a name that tell it from the others.
  private static let told = 15
}
