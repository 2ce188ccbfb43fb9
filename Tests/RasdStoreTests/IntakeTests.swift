import RasdCrypto
import RasdMerge
import RasdModel
import TestSupport
import Testing

@testable import RasdStore

@Suite struct IntakeTests {
  @Test func aRowIsInsertedOnceAndUnchangedAfter() throws {
    let fixture = try StoreFixture()
    let store = try fixture.create()
    let rows = (0..<450).map { TestRow.submission(TestRow.id($0), answer: "\($0)") }
    var export = TestExport("wfp-jo.u_1", rows)
    var tally = try export.take(into: store)
    #expect(tally[.submissions]?[.inserted] == 450)

    export.exportedAt = "2026-09-04T00:00:00Z"
    tally = try export.take(into: store)
    #expect(tally[.submissions]?[.unchanged] == 450)
    #expect(store.sources.count == 2)
    store.close()

    let again = try fixture.open()
    #expect(again.source(try export.description.key)?.state == .done)
    #expect(again.org == "wfp-jo")
  }

  @Test func aHigherRevIsSeenWhateverTheOrder() throws {
    for order in [[1, 2, 3], [3, 1, 2], [2, 3, 1]] {
      let fixture = try StoreFixture()
      let store = try fixture.create()
      for rev in order {
        try TestExport(
          "wfp-jo.u_\(rev)",
          [TestRow.submission(TestRow.id(1), rev: rev, answer: "answer \(rev)")]
        ).take(into: store)
      }
      let seen = try store.table.variants(
        of: store.table.storedKey(RowKey(submission: TestRow.id(1)))
      )
      .first { $0.seen != .no }
      #expect(seen?.facts.submission?.clientRev == 3)
    }
  }

  @Test func anOrganisationsStoreRefusesAnothers() throws {
    let fixture = try StoreFixture()
    let store = try fixture.create(org: "wfp-jo")
    #expect(throws: RasdError(.unavailable, .foreignNamespace)) {
      try TestExport("unicef.u_1", [TestRow.kv("a", "b")]).take(into: store)
    }
    #expect(store.sources.isEmpty)
  }
}
