package import RasdModel

/// Which observation of a device's private setting is seen: the later.
package enum KeyValueOrder {
  /// Nil for no observations.
  package static func resolve(_ observations: [Observation<KVFacts>]) -> KeyStanding? {
    let seen = observations.indices.max { a, b in
      let (x, y) = (observations[a], observations[b])
      if x.facts.updatedAt != y.facts.updatedAt {
        return lowestFirst(x.facts.updatedAt, y.facts.updatedAt)
      }
      return x.hash < y.hash
    }
    return seen.map { KeyStanding(seen: $0) }
  }
}
