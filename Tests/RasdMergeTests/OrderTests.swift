import RasdMerge
import RasdModel
import TestSupport
import Testing

@Suite struct OrderTests {
  static let sets = Soak.rounds(short: 10_000, long: 100_000)

  @Test func submissionsHaveOneAnswerInEveryOrderAndItIsTheLiteralOne() {
    var random = RandomObservations(generator: SeededGenerator())
    for _ in 0..<Self.sets {
      let count = Int.random(in: 1...4, using: &random.generator)
      let set = (0..<count).map { _ in random.submission() }
      let expected = LiteralOrder.answer(set)
      for order in set.permutations {
        guard let standing = SubmissionOrder.resolve(order) else {
          Issue.record("no answer for \(order)")
          return
        }
        let answer = LiteralOrder.Answer(
          hash: order[standing.seen.speaker].hash,
          isConflict: standing.isConflict,
          versions: standing.versions.count
        )
        guard answer == expected else {
          Issue.record("\(answer), not \(expected), for \(order)")
          return
        }
      }
    }
  }

  /// Whoever arrives one by one is answered as the set is, whatever came before.
  @Test func observationsThatArriveOneByOneGiveTheAnswerOfTheirSet() {
    var random = RandomObservations(generator: SeededGenerator())
    for _ in 0..<Self.sets / 20 {
      var tally = SubmissionTally()
      var set: [Observation<SubmissionFacts>] = []
      for _ in 0..<Int.random(in: 1...16, using: &random.generator) {
        if Bool.random(using: &random.generator),
          let known = set.indices.randomElement(using: &random.generator)
        {
          // Another delivery of one that is held.
          set[known].deliveries.formUnion(random.deliveries())
          tally.add(set[known])
        } else {
          set.append(random.submission())
          tally.add(set[set.count - 1])
        }
        let standing = SubmissionOrder.resolve(set)
        #expect(tally.seen == standing.map { set[$0.seen.speaker].hash })
        #expect(tally.isConflict == standing?.isConflict)
      }
    }
  }

  /// Stores merge by the union of their sets: whoever saw what first, and however often.
  @Test func groupsOfASetMergeToTheSameAnswer() {
    var random = RandomObservations(generator: SeededGenerator())
    for _ in 0..<Self.sets / 4 {
      let set = (0..<5).map { _ in random.submission() }
      let expected = LiteralOrder.answer(set)
      for _ in 0..<6 {
        var stores: [Set<Observation<SubmissionFacts>>] = [[], [], []]
        for observation in set {
          for _ in 0..<Int.random(in: 1...2, using: &random.generator) {
            stores[Int.random(in: 0..<3, using: &random.generator)].insert(observation)
          }
        }
        let union = stores.shuffled(using: &random.generator).reduce(into: Set()) {
          $0.formUnion($1)
        }
        let standing = SubmissionOrder.resolve(Array(union))
        #expect(
          standing.map { Array(union)[$0.seen.speaker].hash } == expected.hash
            && standing?.isConflict == expected.isConflict
        )
      }
    }
  }

  @Test func otherTablesHaveOneAnswerInEveryOrder() {
    var random = RandomObservations(generator: SeededGenerator())
    for _ in 0..<Self.sets / 3 {
      let count = Int.random(in: 1...4, using: &random.generator)
      let forms = (0..<count).map { _ in random.form() }
      expectOneAnswer(forms, "forms") { FormOrder.resolve($0) }
      let attachments = (0..<count).map { _ in random.attachment() }
      let listed = random.digest(2)
      expectOneAnswer(attachments, "attachments") {
        AttachmentOrder.resolve($0, listed: $0.map { _ in listed })
      }
      let datasets = (0..<count).map { _ in random.dataset() }
      expectOneAnswer(datasets, "datasets") { DatasetOrder.resolve($0) }
    }
  }

  private func expectOneAnswer<Facts>(
    _ set: [Observation<Facts>],
    _ table: String,
    _ resolve: ([Observation<Facts>]) -> KeyStanding?
  ) {
    var answers: Set<String> = []
    for order in set.permutations {
      guard let standing = resolve(order) else {
        Issue.record("no answer for \(table)")
        return
      }
      answers.insert("\(order[standing.seen].hash) \(standing.isConflict)")
    }
    #expect(answers.count == 1, "\(table): \(set)")
  }
}
