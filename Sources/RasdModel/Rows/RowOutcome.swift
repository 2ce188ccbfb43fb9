/// What became of a row when it was read; each row counts in exactly one (the merge rules,
/// §Outcomes).
package enum RowOutcome: String, Hashable, Sendable, CaseIterable {
  /// Its key was not seen before.
  case inserted
  /// What a reader sees of its key changed.
  case updated
  /// This very observation is already held.
  case unchanged
  /// A new observation that changes nothing visible, a derived outbox row, a host asset.
  case kept
  /// A new observation whose key is in conflict after it.
  case conflict
  /// It failed verification and is quarantined.
  case rejected
}

/// How many rows had each outcome.
package struct RowTally: Hashable, Sendable {
  private var counts: [RowOutcome: Int] = [:]

  package init() {}

  package subscript(outcome: RowOutcome) -> Int {
    get { counts[outcome] ?? 0 }
    set { counts[outcome] = newValue }
  }

  package var imported: Int { self[.inserted] + self[.updated] }
  package var skipped: Int { self[.unchanged] + self[.kept] }
  /// Every row read: `imported + skipped + conflicts + rejected`.
  package var rows: Int { RowOutcome.allCases.reduce(0) { $0 + self[$1] } }

  package static func += (a: inout RowTally, b: RowTally) {
    for outcome in RowOutcome.allCases where b[outcome] > 0 { a[outcome] += b[outcome] }
  }
}
