/// A submission whose winner came from a namespace that none of its earlier revs came from,
/// there being some: somebody else's device now speaks for it.
package enum CrossNamespace {
  package static func isFound(
    in standing: SubmissionStanding
  ) -> Bool {
    let winner = standing.versions[standing.winner]
    let earlier = standing.versions.filter { $0.clientRev < winner.clientRev }
    guard !earlier.isEmpty else { return false }
    return earlier.allSatisfy { $0.namespaces.isDisjoint(with: winner.namespaces) }
  }
}
