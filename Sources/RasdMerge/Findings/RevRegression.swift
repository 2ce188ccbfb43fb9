package import RasdModel

/// A namespace's later export with a lower rev than an earlier one: a restored phone.
package struct RevRegression: Hashable, Sendable {
  package let namespace: Int
  package let earlier: Int
  package let later: Int

  /// What the sources say of themselves.
  package struct Export: Hashable, Sendable {
    package var source: Int
    package var namespace: Int
    package var exportedAt: Instant?
    package var sequence: Int64?

    package init(source: Int, namespace: Int, exportedAt: Instant?, sequence: Int64?) {
      self.source = source
      self.namespace = namespace
      self.exportedAt = exportedAt
      self.sequence = sequence
    }
  }

  /// The exports whose counter is lower than an earlier one's, each with the earlier export of
  /// the highest counter.
  package static func ofSequences(_ exports: [Export]) -> Set<RevRegression> {
    regressions(exports) { $0.sequence }
  }

  /// The exports that hold this id with a lower rev than an earlier one of their namespace did.
  package static func ofRevs(
    _ observations: [Observation<SubmissionFacts>],
    exports: [Int: Export]
  ) -> Set<RevRegression> {
    var highest: [Delivery: Int64] = [:]
    for observation in observations {
      for delivery in observation.deliveries {
        highest[delivery] = max(highest[delivery] ?? 0, observation.facts.clientRev)
      }
    }
    guard Set(highest.values).count > 1 else { return [] }
    let held = highest.keys.compactMap { delivery in
      exports[delivery.source].flatMap { $0.namespace == delivery.namespace ? $0 : nil }
    }
    return regressions(held) { highest[Delivery(source: $0.source, namespace: $0.namespace)] }
  }

  private static func regressions(
    _ exports: [Export],
    _ value: (Export) -> Int64?
  ) -> Set<RevRegression> {
    var found: Set<RevRegression> = []
    for later in exports {
      guard let time = later.exportedAt, let own = value(later) else { continue }
      let above = exports.filter { earlier in
        guard earlier.namespace == later.namespace, let before = earlier.exportedAt,
          let theirs = value(earlier)
        else { return false }
        return before < time && theirs > own
      }
      let worst = above.max { (value($0) ?? 0, $0.source) < (value($1) ?? 0, $1.source) }
      if let worst {
        found.insert(
          RevRegression(
            namespace: later.namespace,
            earlier: worst.source,
            later: later.source
          )
        )
      }
    }
    return found
  }
}
