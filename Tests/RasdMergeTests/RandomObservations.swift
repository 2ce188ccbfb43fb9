import RasdMerge
import RasdModel
import TestSupport

/// Small sets of observations of one key, made of few values so that almost everything ties.
struct RandomObservations {
  var generator: SeededGenerator

  mutating func digest(_ values: Int) -> SHA256Digest {
    SHA256Digest(words: (UInt64.random(in: 0..<UInt64(values), using: &generator), 0, 0, 0))
  }

  /// A hash of its own, as rows that differ have.
  mutating func hash() -> SHA256Digest {
    SHA256Digest(words: (generator.next(), 0, 0, 0))
  }

  mutating func instant() -> Instant? {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: nil
    case 1: Instant("2026-09-01T06:00:00Z")
    case 2: Instant("2026-09-01T09:00:00.0+03:00")
    default: Instant("2026-08-31T23:30:00-09:00")
    }
  }

  mutating func deliveries() -> Set<Delivery> {
    var all: Set<Delivery> = []
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      all.insert(
        Delivery(
          source: Int.random(in: 1...4, using: &generator),
          namespace: Int.random(in: 1...3, using: &generator)
        )
      )
    }
    return all
  }

  mutating func submission() -> Observation<SubmissionFacts> {
    let status = SubmissionStatus.allCases.randomElement(using: &generator) ?? .draft
    let facts = SubmissionFacts(
      id: "s",
      status: status,
      clientRev: Int64.random(in: 0...2, using: &generator),
      serverRev: Bool.random(using: &generator)
        ? nil : Int64.random(in: 1...2, using: &generator),
      updatedAt: instant(),
      contentDigest: digest(3)
    )
    return Observation(facts, hash: hash(), deliveries: deliveries())
  }

  mutating func form() -> Observation<FormFacts> {
    let hash = Bool.random(using: &generator) ? "sha256:a" : "sha256:b"
    let facts = FormFacts(
      id: "f",
      version: "1",
      declaredHash: Int.random(in: 0..<4, using: &generator) == 0 ? nil : hash,
      definitionDigest: nil,
      publishedAt: instant()
    )
    return Observation(facts, hash: self.hash(), deliveries: deliveries())
  }

  mutating func attachment() -> Observation<AttachmentFacts> {
    let facts = AttachmentFacts(
      id: "a",
      submissionId: "s",
      status: AttachmentStatus.allCases.randomElement(using: &generator) ?? .pending,
      updatedAt: instant(),
      claim: BlobClaim(bytes: 1, sha256: digest(2))
    )
    return Observation(facts, hash: hash(), deliveries: deliveries())
  }

  mutating func dataset() -> Observation<DatasetFacts> {
    let facts = DatasetFacts(
      name: "d",
      key: "k",
      updatedAt: instant(),
      isTombstone: Bool.random(using: &generator)
    )
    return Observation(facts, hash: hash(), deliveries: deliveries())
  }
}

extension Array {
  /// Every order of the elements.
  var permutations: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { i in
      var rest = self
      let first = rest.remove(at: i)
      return rest.permutations.map { [first] + $0 }
    }
  }
}
