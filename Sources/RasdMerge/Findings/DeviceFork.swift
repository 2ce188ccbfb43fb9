package import RasdModel

/// Two exports of one namespace with different content at one id and rev, beyond drafts: two
/// devices live under one name, a cloned backup for instance.
package struct DeviceFork: Hashable, Sendable {
  package let namespace: Int
  /// The two sources, the lower number first.
  package let sources: [Int]

  /// The forks that one id's observations show.
  package static func all(
    of observations: [Observation<SubmissionFacts>],
    in standing: SubmissionStanding
  ) -> Set<DeviceFork> {
    // Which versions of a rev each source of a namespace delivered: two that differ in that fork.
    var delivered: [Place: [Int: Set<Int>]] = [:]
    for (number, version) in standing.versions.enumerated() {
      for delivery in beyondDrafts(version, observations) {
        let place = Place(clientRev: version.clientRev, namespace: delivery.namespace)
        delivered[place, default: [:]][delivery.source, default: []].insert(number)
      }
    }
    var forks: Set<DeviceFork> = []
    for (place, sources) in delivered {
      let numbers = sources.keys.sorted()
      for (i, a) in numbers.enumerated() {
        for b in numbers[(i + 1)...] where !isOneVersion(sources[a], sources[b]) {
          forks.insert(DeviceFork(namespace: place.namespace, sources: [a, b]))
        }
      }
    }
    return forks
  }

  private struct Place: Hashable {
    let clientRev: Int64
    let namespace: Int
  }

  /// Whether two sources delivered the same single version.
  private static func isOneVersion(_ a: Set<Int>?, _ b: Set<Int>?) -> Bool {
    a?.count == 1 && a == b
  }

  private static func beyondDrafts(
    _ version: SubmissionVersion,
    _ observations: [Observation<SubmissionFacts>]
  ) -> Set<Delivery> {
    version.members.reduce(into: []) { all, i in
      if observations[i].facts.status != .draft { all.formUnion(observations[i].deliveries) }
    }
  }
}
