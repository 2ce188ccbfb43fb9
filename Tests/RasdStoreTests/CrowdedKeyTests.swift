import RasdCrypto
import RasdMerge
import RasdModel
import TestSupport
import Testing

@testable import RasdStore

/// Very many contents under one key, as somebody might send who means harm.
@Suite struct CrowdedKeyTests {
  private static func submissions(
    _ count: Int,
    _ generator: inout SeededGenerator
  ) -> [(String, String)] {
    (0..<count).map { number in
      let status = SubmissionStatus.allCases.randomElement(using: &generator) ?? .draft
      var row = TestRow.submission(
        TestRow.id(1),
        rev: Int.random(in: 0...1, using: &generator),
        status: status.rawValue,
        answer: "\(Int.random(in: 0..<count, using: &generator) / 2)",
        updatedAt: "2026-09-01T0\(Int.random(in: 0...9, using: &generator)):00:00Z"
      )
      if number % 5 == 0 { row.1 = row.1.replacing(#","status":"#, with: #", "status" : "#) }
      return row
    }
  }

  /// The outcomes of rows that arrive one by one, by the rules alone.
  private static func expected(
    _ rows: [(String, String)],
    _ namespace: String
  ) throws -> RowTally {
    var tally = RowTally()
    var set: [Observation<SubmissionFacts>] = []
    var reader = RowReader(sha256: SHA256.digest)
    for (_, text) in rows {
      let row = try reader.read(
        line: Array(text.utf8).span,
        table: .submissions,
        namespace: try require(Namespace(namespace))
      )
      guard case .submission(let facts) = row.facts else { continue }
      let wasHeld = set.contains { $0.hash == row.hash }
      let keyWasHeld = !set.isEmpty
      let before = SubmissionOrder.resolve(set).map { set[$0.seen.speaker].hash }
      if !wasHeld {
        let delivery = Delivery(source: 1, namespace: 1)
        set.append(Observation(facts, hash: row.hash, deliveries: [delivery]))
      }
      let after = SubmissionOrder.resolve(set)
      let arrival = Arrival(
        wasHeld: wasHeld,
        keyWasHeld: keyWasHeld,
        changedWhatIsSeen: after.map { set[$0.seen.speaker].hash } != before,
        isConflict: after?.isConflict ?? false
      )
      tally[arrival.outcome] += 1
    }
    return tally
  }

  @Test func outcomesAndWhatIsSeenAreThoseOfTheRules() throws {
    var generator = SeededGenerator()
    for _ in 0..<Soak.rounds(short: 3, long: 30) {
      let rows = Self.submissions(300, &generator)
      let fixture = try StoreFixture()
      let store = try fixture.create()
      let tally = try TestExport("wfp-jo.u_1", rows).take(into: store, batch: 70)
      #expect(try tally[.submissions] == Self.expected(rows, "wfp-jo.u_1"))
      #expect(try Self.isSound(store))

      let other = try fixture.create("other")
      try TestExport("wfp-jo.u_1", rows.shuffled(using: &generator)).take(into: other)
      #expect(try other.digest() == store.digest())
      #expect(try Self.seen(other) == Self.seen(store))
      #expect(try Self.isSound(other))
    }
  }

  @Test("a key of any table", arguments: ["datasets", "kv", "forms", "attachments"])
  func otherTables(_ table: String) throws {
    var generator = SeededGenerator()
    let rows = (0..<300).map { number -> (String, String) in
      let at = "2026-09-01T0\(Int.random(in: 0...9, using: &generator)):00:00Z"
      switch table {
      case "datasets": return TestRow.dataset("villages", "v1", label: "\(number)", deleted: false)
      case "kv":
        return ("kv", #"{"key":"k","value":\#(number),"updatedAt":"\#(at)"}"#)
      case "forms":
        return (
          "forms",
          #"{"id":"f","version":"1","publishedAt":"\#(at)","definition":{"n":\#(number % 7)},"title":"\#(number)"}"#
        )
      default:
        return TestRow.attachment(
          "a",
          of: TestRow.id(1),
          sha256: SHA256.digest([UInt8(number % 250)].span).hex,
          bytes: number
        )
      }
    }
    let fixture = try StoreFixture()
    let store = try fixture.create()
    try TestExport("wfp-jo.u_1", rows).take(into: store)
    #expect(try Self.isSound(store))
    let other = try fixture.create("other")
    try TestExport("wfp-jo.u_1", rows.shuffled(using: &generator)).take(into: other)
    #expect(try other.digest() == store.digest())
    #expect(try Self.seen(other) == Self.seen(store))
    #expect(try Self.isSound(other))
  }

  /// Ten times as many cost ten times as much: rows of the key that are read for arrivals.
  @Test func theCostOfAnArrivalDoesNotGrow() throws {
    var generator = SeededGenerator()
    let read = try [1_000, 10_000].map { count in
      let fixture = try StoreFixture()
      let store = try fixture.create()
      try TestExport("wfp-jo.u_1", Self.submissions(count, &generator)).take(into: store)
      return store.table.variantsRead
    }
    #expect(read[0] > 0 && read[1] <= 10 * read[0], "\(read)")
  }

  private static func isSound(_ store: Store) throws -> Bool {
    try store.check { _ in }.faults == 0
  }

  /// What a reader sees of each key.
  private static func seen(_ store: Store) throws -> [String] {
    var rows: [String] = []
    for table in try store.tables() {
      try store.forEachRow(of: table) { (row) throws(RasdError) in
        rows.append(String(decoding: row.text, as: UTF8.self))
      }
    }
    return rows
  }
}
