import RasdCrypto
import RasdMerge
import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdStore

@Suite struct PolicyTests {
  private let fixture: StoreFixture
  private let store: Store
  private let id = TestRow.id(1)

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.create()
  }

  private func take(
    _ user: Int,
    rev: Int,
    _ status: String = "synced",
    _ policy: ConflictPolicy = .keepHigherRev
  ) throws -> RowOutcome? {
    var export = TestExport(
      "wfp-jo.u_\(user)",
      [TestRow.submission(id, rev: rev, status: status, answer: "\(user) \(rev)")]
    )
    export.exportedAt = "2026-09-03T14:05:11.\(100 + store.sources.count)Z"
    let tally = try export.take(into: store, policy: IntakePolicy(onConflict: policy))
    return RowOutcome.allCases.first { (tally[.submissions]?[$0] ?? 0) > 0 }
  }

  private func seen() throws -> Int64? {
    var rev: Int64?
    try store.forEachRow(of: .submissions) { rev = $0.facts.submission?.clientRev }
    return rev
  }

  @Test func keepLocalHoldsUntilARevAboveAll() throws {
    #expect(try take(1, rev: 1) == .inserted)
    #expect(try take(2, rev: 3, "synced", .keepLocal) == .kept)
    #expect(try seen() == 1)
    #expect(try take(3, rev: 2) == .kept)
    #expect(try seen() == 1)
    #expect(try take(4, rev: 4) == .updated)
    #expect(try seen() == 4)
  }

  @Test func keepImportShowsWhatComesIn() throws {
    #expect(try take(1, rev: 5) == .inserted)
    #expect(try take(2, rev: 3, "synced", .keepImport) == .updated)
    #expect(try seen() == 3)
    // No decision where the order does the same.
    let digest = try store.digest()
    #expect(try store.connection.integer("SELECT count(*) FROM pins") == 1)
    #expect(try take(2, rev: 3, "synced", .keepImport) == .unchanged)
    #expect(try store.digest() == digest)
  }

  @Test func aDraftIsNotPinnedOverAProtectedRow() throws {
    #expect(try take(1, rev: 1, "queued") == .inserted)
    #expect(try take(2, rev: 3, "draft", .keepImport) == .kept)
    #expect(try seen() == 1)
    #expect(try store.connection.integer("SELECT count(*) FROM pins") == 0)
  }

  @Test func decisionsTravelWithAStoresExport() throws {
    _ = try take(1, rev: 5)
    _ = try take(2, rev: 3, "synced", .keepImport)
    let other = try fixture.create("other")
    try StoreExport(of: store, .inItsTable).take(into: other, observationsFirst: true)
    #expect(try other.digest() == store.digest())
    #expect(
      try other.connection.text("SELECT json_extract(body, '$.data.answer') FROM submissions")
        == "2 3"
    )
  }

  @Test func aDryRunChangesNothing() throws {
    _ = try take(1, rev: 1)
    let (digest, sources) = (try store.digest(), store.sources)
    let outcome = try? store.rehearse { () throws(RasdError) in
      var outcome: RowOutcome?
      do { outcome = try take(2, rev: 3) } catch { Issue.record(error) }
      return outcome
    }
    #expect(outcome == .updated)
    #expect(try store.digest() == digest)
    #expect(store.sources == sources)
    #expect(try take(2, rev: 3) == .updated)
  }
}
