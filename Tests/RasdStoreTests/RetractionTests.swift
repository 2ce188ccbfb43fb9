import RasdCrypto
import RasdMerge
import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdStore

@Suite struct RetractionTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test func anExcludedSourceIsOutOfTheSetAndComesBack() throws {
    var generator = SeededGenerator()
    for round in 0..<Soak.rounds(short: 3, long: 40) {
      let exports = OrderIndependenceTests.fleet(&generator)
      let whole = try fixture.create("whole\(round)")
      for export in exports { try export.take(into: whole) }
      let digest = try whole.digest()
      let excluded = Int.random(in: 0..<exports.count, using: &generator)
      let without = try fixture.create("without\(round)")
      for (i, export) in exports.enumerated() where i != excluded { try export.take(into: without) }

      try whole.retract(excluded + 1, true)
      #expect(try whole.digest() == without.digest())
      try whole.retract(excluded + 1, false)
      #expect(try whole.digest() == digest)

      try whole.retract(excluded + 1, true)
      let receipt = try whole.purge()
      #expect(receipt.sources == 1)
      #expect(try whole.digest() == without.digest())
      var faults: [StoreFault] = []
      _ = try whole.check { faults.append($0) }
      #expect(faults.isEmpty)
      #expect(try whole.purge() == PurgeReceipt())
    }
  }

  @Test func replaceTakesTheSourceAndRetractsTheNamespacesEarlierOnes() throws {
    let store = try fixture.create()
    try TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1), rev: 9)]).take(into: store)
    try TestExport("wfp-jo.u_2", [TestRow.submission(TestRow.id(2))]).take(into: store)
    var later = TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1), rev: 1, answer: "b")])
    later.exportedAt = "2026-09-08T00:00:00Z"
    try later.take(into: store, policy: IntakePolicy(replaces: true))
    #expect(store.sources.map(\.isRetracted) == [true, false, false])
    var revs: [Int64?] = []
    try store.forEachRow(of: .submissions) { revs.append($0.facts.submission?.clientRev) }
    #expect(revs == [1, 1])

    var partial = TestExport("wfp-jo.u_1", [TestRow.kv("a", "b")])
    partial.isPartial = true
    #expect(throws: RasdError(.unavailable, .cannotReplace)) {
      try partial.take(into: store, policy: IntakePolicy(replaces: true))
    }
  }

  @Test(arguments: [SourceOrigin.salvage, .store])
  func whatMayLackRowsReplacesNothing(_ origin: SourceOrigin) throws {
    let store = try fixture.create()
    try TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1), rev: 9)]).take(into: store)
    let before = try store.digest()
    var lacking = TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1), rev: 1)])
    lacking.origin = origin
    #expect(throws: RasdError(.unavailable, .cannotReplace)) {
      try lacking.take(into: store, policy: IntakePolicy(replaces: true))
    }
    #expect(try store.digest() == before)
    #expect(store.sources.count == 1)
  }

  @Test func purgedBytesAreGone() throws {
    let store = try fixture.create()
    var export = TestExport("wfp-jo.u_1", [TestRow.kv("a", "b")])
    export.blobs = [(id: "a", bytes: [1, 2, 3])]
    try export.take(into: store)
    var other = TestExport("wfp-jo.u_2", [TestRow.kv("a", "b")])
    other.blobs = [(id: "b", bytes: [4, 5])]
    try other.take(into: store)
    let hash = SHA256.digest([UInt8]([1, 2, 3]).span)
    try store.retract(1, true)
    #expect(try !store.isHeld(hash) && store.vault.holds(hash, bytes: 3))
    #expect(try store.purge() == PurgeReceipt(observations: 1, blobs: 1, sources: 1))
    #expect(!store.vault.holds(hash, bytes: 3))
    #expect(try store.connection.integer("SELECT count(*) FROM bodies") == 0)
    #expect(try store.isHeld(SHA256.digest([UInt8]([4, 5]).span)))
    #expect(throws: RasdError(.unavailable, .sourceUnknown)) { try store.retract(77, true) }
  }
}
