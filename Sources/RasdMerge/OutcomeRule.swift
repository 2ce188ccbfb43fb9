package import RasdModel

/// What a row's arrival did, as far as its outcome depends on it.
package struct Arrival: Hashable, Sendable {
  /// Whether this very observation was held before.
  package var wasHeld: Bool
  /// Whether any observation of its key was.
  package var keyWasHeld: Bool
  /// Whether a reader sees another observation of the key than before.
  package var changedWhatIsSeen: Bool
  /// Whether the key is in conflict with the arrival.
  package var isConflict: Bool

  package init(
    wasHeld: Bool,
    keyWasHeld: Bool,
    changedWhatIsSeen: Bool,
    isConflict: Bool
  ) {
    self.wasHeld = wasHeld
    self.keyWasHeld = keyWasHeld
    self.changedWhatIsSeen = changedWhatIsSeen
    self.isConflict = isConflict
  }

  /// The one outcome the row counts in (the merge rules, §Outcomes).
  package var outcome: RowOutcome {
    if wasHeld { return .unchanged }
    if !keyWasHeld { return .inserted }
    if isConflict { return .conflict }
    return changedWhatIsSeen ? .updated : .kept
  }
}
