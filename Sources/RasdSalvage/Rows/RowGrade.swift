internal import RasdModel

/// How far a row can be trusted, from what proves it.
enum RowGrade {
  static func of(verdict: PageVerdict, notes: RowNotesSet, proof: NativeRows.Proof) -> Grade {
    switch proof {
    case .holds: return .verified
    case .holdsButForKey:
      if verdict == .intact || notes.isDisjoint(with: .suspicious) { return .verified }
    case .fails: return .contradicted
    case .none, .closed: break
    }
    if !notes.isDisjoint(with: [
      .chainBroken, .recordInexact, .valuesAbsent, .documentIncomplete,
    ]) {
      return .partial
    }
    if verdict.isFailed || verdict != .intact && !notes.isDisjoint(with: .suspicious) {
      return .doubtful
    }
    if proof == .closed { return .unverifiable }
    return verdict == .intact ? .intact : .plausible
  }
}

extension RowNotesSet {
  /// What makes a row of an unproved page doubtful.
  static let suspicious: Self = [
    .outOfOrder, .outOfDomain, .textBroken, .notJSON, .indexDisagrees, .notMergeable,
  ]
}
