package import RasdModel

/// Which observation of an outbox row that carries data is seen.
///
/// Such a row says nothing of when it was last touched, so its state is taken for its age:
/// `pending < leased < dead`.
package enum OutboxOrder {
  /// Nil for no observations.
  package static func resolve(_ observations: [Observation<OutboxFacts>]) -> KeyStanding? {
    let seen = observations.indices.max { a, b in
      let (x, y) = (observations[a], observations[b])
      if x.facts.status != y.facts.status { return rank(x) < rank(y) }
      return x.hash < y.hash
    }
    return seen.map { KeyStanding(seen: $0) }
  }

  private static func rank(_ observation: Observation<OutboxFacts>) -> Int {
    switch observation.facts.status {
    case .pending: 0
    case .leased: 1
    case .dead: 2
    }
  }
}
