package import RasdModel

/// What stands of one submission while its observations arrive, each at one cost however many
/// came before it.
///
/// It answers what `SubmissionOrder.resolve` answers for the same set where no decision is pinned.
package struct SubmissionTally: Sendable {
  private typealias ID = SubmissionVersionID

  /// A version: the observation that speaks for it and who delivered any.
  private struct Version {
    var speaker: Observation<SubmissionFacts>
    var namespaces: Set<Int>

    var isDraft: Bool { speaker.facts.status == .draft }
    var isProtected: Bool { speaker.facts.status.isProtected }
  }

  /// How many versions one rev has: those beyond drafts, and drafts by who delivered them.
  private struct Rev {
    var beyondDrafts = 0
    var drafts: [Set<Int>: Int] = [:]
  }

  private var versions: [ID: Version] = [:]
  private var revs: [Int64: Rev] = [:]
  private var protected = 0
  private var winner: ID?

  package init(_ observations: [Observation<SubmissionFacts>] = []) {
    for observation in observations { add(observation) }
  }

  /// The row hash of the observation that is seen.
  package var seen: SHA256Digest? { winner.flatMap { versions[$0]?.speaker.hash } }

  /// Whether a version ties with the one that is seen and is not its device's own history.
  package var isConflict: Bool {
    guard let winner, let version = versions[winner], let rev = revs[winner.clientRev] else {
      return false
    }
    // Rule 2: where a protected row speaks, drafts are out of the running.
    let isContestedByDraft =
      protected == 0 && rev.drafts.keys.contains { $0.isDisjoint(with: version.namespaces) }
    return isContestedByDraft || (!version.isDraft && rev.beyondDrafts > 1)
  }

  /// Takes an observation, or another delivery of one.
  package mutating func add(_ observation: Observation<SubmissionFacts>) {
    var observation = observation
    observation.facts.listed = []
    let facts = observation.facts
    let id = ID(facts)
    let wasProtected = protected > 0
    var version = Version(speaker: observation, namespaces: observation.namespaces)
    if let old = versions[id] {
      count(old, of: id, -1)
      version.namespaces.formUnion(old.namespaces)
      if !SubmissionVersion.speaksAfter(old.speaker, observation) { version.speaker = old.speaker }
    }
    count(version, of: id, 1)
    versions[id] = version
    if wasProtected != (protected > 0) {
      winner = versions.keys.filter(isRunning).max(by: precedes)
    } else if isRunning(id), winner.map({ precedes($0, id) }) ?? true {
      // A version's place can only rise: whoever was first is still, unless it is this one now.
      winner = id
    }
  }

  private mutating func count(_ version: Version, of id: ID, _ step: Int) {
    if version.isProtected { protected += step }
    var rev = revs[id.clientRev] ?? Rev()
    if version.isDraft {
      let left = (rev.drafts[version.namespaces] ?? 0) + step
      rev.drafts[version.namespaces] = left > 0 ? left : nil
    } else {
      rev.beyondDrafts += step
    }
    revs[id.clientRev] = rev
  }

  private func isRunning(_ id: ID) -> Bool {
    protected == 0 || versions[id]?.isDraft == false
  }

  /// Rules 3 and 4.
  private func precedes(_ a: ID, _ b: ID) -> Bool {
    if a.clientRev != b.clientRev { return a.clientRev < b.clientRev }
    guard let x = versions[a]?.speaker.facts, let y = versions[b]?.speaker.facts else {
      return false
    }
    return SubmissionOrder.compare(x, y) ?? (a.digest < b.digest)
  }
}
