package import RasdModel

/// A row as some source delivered it, reduced to what the rules need.
///
/// The merge is a pure function of the *set* of these: nothing here knows a database, a clock
/// or an order of arrival, so every order and grouping of arrivals gives one answer.
package struct Observation<Facts: Hashable & Sendable>: Hashable, Sendable {
  package var facts: Facts
  /// SHA-256 of the row's canonical form: what tells two observations of one key apart.
  package var hash: SHA256Digest
  package var deliveries: Set<Delivery>

  package init(_ facts: Facts, hash: SHA256Digest, deliveries: Set<Delivery> = []) {
    self.facts = facts
    self.hash = hash
    self.deliveries = deliveries
  }

  package var namespaces: Set<Int> { Set(deliveries.map(\.namespace)) }
}

/// One source that brought an observation, and the namespace it brought it under.
///
/// A device's export brings all its rows under one namespace; a store's export names those of
/// each row.
package struct Delivery: Hashable, Sendable {
  package var source: Int
  package var namespace: Int

  package init(source: Int, namespace: Int) {
    self.source = source
    self.namespace = namespace
  }
}
