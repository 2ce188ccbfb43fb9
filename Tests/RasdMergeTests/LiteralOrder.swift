import RasdMerge
import RasdModel

/// The merge rules for submissions once more, word by word and slowly: what the module is held
/// against.
struct LiteralOrder {
  struct Answer: Equatable {
    var hash: SHA256Digest
    var isConflict: Bool
    var versions: Int
  }

  static func answer(_ observations: [Observation<SubmissionFacts>]) -> Answer {
    struct Speaker {
      var observation: Observation<SubmissionFacts>
      var namespaces: Set<Int>
    }
    var versions: [[Observation<SubmissionFacts>]] = []
    for observation in observations {
      let place = versions.firstIndex {
        $0[0].facts.clientRev == observation.facts.clientRev
          && $0[0].facts.contentDigest == observation.facts.contentDigest
      }
      if let place { versions[place].append(observation) } else { versions.append([observation]) }
    }
    let rank: [SubmissionStatus: Int] = [
      .draft: 0, .finalized: 1, .queued: 2, .sending: 3, .rejected: 4, .conflict: 5, .synced: 6,
    ]
    typealias Key = (Int, Int64, Int64, UInt64, Int, SHA256Digest)
    func key(_ o: Observation<SubmissionFacts>, _ last: SHA256Digest, status: Bool) -> Key {
      (
        o.facts.status == .draft ? 0 : 1, o.facts.serverRev ?? -1,
        o.facts.updatedAt?.seconds ?? .min, o.facts.updatedAt?.attoseconds ?? 0,
        status ? rank[o.facts.status] ?? 0 : 0, last
      )
    }
    let speakers = versions.map { members in
      Speaker(
        observation: members.sorted {
          key($0, $0.hash, status: true) < key($1, $1.hash, status: true)
        }[members.count - 1],
        namespaces: members.reduce(into: []) { $0.formUnion($1.namespaces) }
      )
    }
    let isProtected = speakers.contains {
      [.finalized, .queued, .sending].contains($0.observation.facts.status)
    }
    let running = speakers.filter { !isProtected || $0.observation.facts.status != .draft }
    let top = running.map(\.observation.facts.clientRev).max() ?? 0
    let tied = running.filter { $0.observation.facts.clientRev == top }.sorted {
      key($0.observation, $0.observation.facts.contentDigest, status: false)
        < key($1.observation, $1.observation.facts.contentDigest, status: false)
    }
    let best = tied[tied.count - 1]
    let losers = tied.dropLast()
    let isHistory = losers.allSatisfy {
      $0.observation.facts.status == .draft && !$0.namespaces.isDisjoint(with: best.namespaces)
    }
    return Answer(
      hash: best.observation.hash,
      isConflict: !isHistory,
      versions: versions.count
    )
  }
}
