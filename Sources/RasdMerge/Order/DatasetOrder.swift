package import RasdModel

/// Which observation of a dataset row is seen: the later, tombstones included, then a live
/// row before a tombstone.
package enum DatasetOrder {
  /// Nil for no observations.
  package static func resolve(_ observations: [Observation<DatasetFacts>]) -> KeyStanding? {
    let seen = observations.indices.max { a, b in
      let (x, y) = (observations[a], observations[b])
      if x.facts.updatedAt != y.facts.updatedAt {
        return lowestFirst(x.facts.updatedAt, y.facts.updatedAt)
      }
      if x.facts.isTombstone != y.facts.isTombstone { return x.facts.isTombstone }
      return x.hash < y.hash
    }
    return seen.map { KeyStanding(seen: $0) }
  }
}
