internal import RasdModel

extension SalvagePlan {
  /// What the table's index, and the rows that were delivered, say of a row: whether it is
  /// alive, and whether its key is what was written.
  func testify(
    _ key: UInt64,
    _ table: Int,
    _ kind: inout RowKind,
    _ notes: inout RowNotesSet
  ) {
    let isKnown = witness.knows(key)
    let isJudged = witness.isComplete(table)
    switch kind {
    case .live:
      if isJudged, !isKnown { notes.insert(.indexDisagrees) }
    case .orphan:
      // A page that was freed, where the list of free pages is lost.
      if isJudged, !isKnown, !notes.contains(.foundByScan) { kind = .freelist }
    case .freelist, .freeblock, .gap, .history:
      guard isKnown || living.all.contains(key) else { return }
      if living.good.contains(key) {
        kind = .history
        notes.insert(.olderVersion)
      } else {
        // The database counts it as its own, and no better copy of it was found.
        kind = .orphan
        notes.insert(.alive)
      }
    }
  }
}
