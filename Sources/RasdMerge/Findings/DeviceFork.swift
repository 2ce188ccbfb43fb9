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
    var forks: Set<DeviceFork> = []
    for (i, a) in standing.versions.enumerated() {
      for b in standing.versions[(i + 1)...] where b.clientRev == a.clientRev {
        let (left, right) = (beyondDrafts(a, observations), beyondDrafts(b, observations))
        for x in left {
          for y in right where y.namespace == x.namespace && y.source != x.source {
            forks.insert(
              DeviceFork(namespace: x.namespace, sources: [x.source, y.source].sorted())
            )
          }
        }
      }
    }
    return forks
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
