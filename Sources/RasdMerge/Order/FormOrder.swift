package import RasdModel

/// Which definition of a published form version is seen: versions are immutable, so there
/// should be one (the merge rules, §Order of observations, Forms).
package enum FormOrder {
  /// Nil for no observations.
  package static func resolve(_ observations: [Observation<FormFacts>]) -> KeyStanding? {
    guard let first = observations.first else { return nil }
    let seen = observations.indices.min { precedes(observations[$0], observations[$1]) }
    return KeyStanding(
      seen: seen ?? 0,
      isConflict: observations.contains { $0.facts.hash != first.facts.hash }
    )
  }

  /// The earliest publication (absent or unreadable last), the smaller hash, the greater row.
  private static func precedes(
    _ a: Observation<FormFacts>,
    _ b: Observation<FormFacts>
  ) -> Bool {
    if a.facts.publishedAt != b.facts.publishedAt {
      guard let p = a.facts.publishedAt else { return false }
      guard let q = b.facts.publishedAt else { return true }
      return p < q
    }
    if let p = a.facts.hash, let q = b.facts.hash {
      if p != q { return p.utf8.lexicographicallyPrecedes(q.utf8) }
    } else if a.facts.hash != b.facts.hash {
      return a.facts.hash != nil
    }
    return a.hash > b.hash
  }
}

/// What stands of one key of a table without versions.
package struct KeyStanding: Hashable, Sendable {
  /// The observation a reader sees: an index of the list given.
  package let seen: Int
  package let isConflict: Bool

  package init(seen: Int, isConflict: Bool = false) {
    self.seen = seen
    self.isConflict = isConflict
  }
}
