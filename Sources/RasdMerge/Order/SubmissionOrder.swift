package import RasdModel

/// Which observation of a submission is seen (the merge rules, §Order of observations).
package enum SubmissionOrder {
  /// What stands of one id: its versions, the one that is seen, and whether it is contested.
  ///
  /// Nil for no observations at all.
  package static func resolve(
    _ observations: [Observation<SubmissionFacts>],
    pin: Pin? = nil
  ) -> SubmissionStanding? {
    let versions = SubmissionVersion.all(of: observations)
    guard !versions.isEmpty else { return nil }
    func status(_ version: SubmissionVersion) -> SubmissionStatus {
      observations[version.speaker].facts.status
    }

    // Rule 2: never a draft over a protected row, whatever its rev.
    let isProtected = versions.contains { status($0).isProtected }
    let running = versions.indices.filter { !isProtected || status(versions[$0]) != .draft }

    // Rules 3 and 4. Two versions of one rev differ in their digest, so the order is total.
    func precedes(_ a: Int, _ b: Int) -> Bool {
      let (x, y) = (versions[a], versions[b])
      if x.clientRev != y.clientRev { return x.clientRev < y.clientRev }
      let (p, q) = (observations[x.speaker].facts, observations[y.speaker].facts)
      if let order = compare(p, q) { return order }
      return x.digest < y.digest
    }
    guard let winner = running.max(by: precedes) else { return nil }

    let tied = running.filter { versions[$0].clientRev == versions[winner].clientRev }
    let isHistory = tied.allSatisfy { loser in
      loser == winner
        || status(versions[loser]) == .draft
          && !versions[loser].namespaces.isDisjoint(with: versions[winner].namespaces)
    }
    let pinned = pin.flatMap { pin in
      versions.firstIndex { pin.isHeld(by: $0, among: versions) && running.contains($0.index) }
    }
    return SubmissionStanding(
      versions: versions,
      running: running,
      winner: winner,
      pinned: pinned,
      rivals: isHistory ? [] : tied.filter { $0 != winner }
    )
  }

  /// Whether `a` stands behind `b`; nil when nothing tells them apart.
  ///
  /// Non-draft before draft, then the higher server's rev, then the later time.
  static func compare(_ a: SubmissionFacts, _ b: SubmissionFacts) -> Bool? {
    let (aIsDraft, bIsDraft) = (a.status == .draft, b.status == .draft)
    if aIsDraft != bIsDraft { return aIsDraft }
    if a.serverRev != b.serverRev { return lowestFirst(a.serverRev, b.serverRev) }
    if a.updatedAt != b.updatedAt { return lowestFirst(a.updatedAt, b.updatedAt) }
    return nil
  }
}

/// What stands of one submission id.
package struct SubmissionStanding: Hashable, Sendable {
  /// Every version, by rev and digest.
  package let versions: [SubmissionVersion]
  /// Those that may be seen: all, or all but drafts where a protected row speaks.
  package let running: [Int]
  /// The version that the order chooses: an index of `versions`.
  package let winner: Int
  /// The version that a decision puts before the order, if one holds.
  package let pinned: Int?
  /// The versions that tie with the winner in rev and are not its device's own history.
  package let rivals: [Int]

  package var isConflict: Bool { !rivals.isEmpty }
  /// The version a reader sees.
  package var seen: SubmissionVersion { versions[pinned ?? winner] }
}

/// What tells the versions of one submission apart.
struct SubmissionVersionID: Hashable {
  let clientRev: Int64
  let digest: SHA256Digest

  init(_ facts: SubmissionFacts) { (clientRev, digest) = (facts.clientRev, facts.contentDigest) }
}

/// The observations of one id that share `clientRev` and content.
package struct SubmissionVersion: Hashable, Sendable {
  /// Its place among the versions of its id.
  package var index: Int
  package let clientRev: Int64
  package let digest: SHA256Digest
  /// The observations of it: indices of the list it was made of.
  package var members: [Int]
  /// The observation that speaks for it.
  package var speaker: Int
  package var namespaces: Set<Int>

  /// The versions among `observations`, by rev and digest.
  static func all(of observations: [Observation<SubmissionFacts>]) -> [SubmissionVersion] {
    var versions: [SubmissionVersion] = []
    var places: [SubmissionVersionID: Int] = [:]
    for (i, observation) in observations.enumerated() {
      let facts = observation.facts
      let id = SubmissionVersionID(facts)
      guard let known = places[id] else {
        places[id] = versions.count
        versions.append(
          SubmissionVersion(
            index: 0,
            clientRev: facts.clientRev,
            digest: facts.contentDigest,
            members: [i],
            speaker: i,
            namespaces: observation.namespaces
          )
        )
        continue
      }
      versions[known].members.append(i)
      versions[known].namespaces.formUnion(observation.namespaces)
      if speaksAfter(observations[versions[known].speaker], observation) {
        versions[known].speaker = i
      }
    }
    versions.sort { ($0.clientRev, $0.digest) < ($1.clientRev, $1.digest) }
    for i in versions.indices { versions[i].index = i }
    return versions
  }

  /// Rule 1: whether `b` speaks for the version that both are observations of.
  static func speaksAfter(
    _ a: Observation<SubmissionFacts>,
    _ b: Observation<SubmissionFacts>
  ) -> Bool {
    if let order = SubmissionOrder.compare(a.facts, b.facts) { return order }
    if a.facts.status != b.facts.status { return a.facts.status < b.facts.status }
    return a.hash < b.hash
  }
}

/// Whether `a` stands before `b` where an absent value is lower than any.
func lowestFirst<T: Comparable>(_ a: T?, _ b: T?) -> Bool {
  guard let b else { return false }
  guard let a else { return true }
  return a < b
}
