import RasdCrypto
import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdStore

/// What a store's export may say, and what it may not.
@Suite struct StoreExportTests {
  private let fixture: StoreFixture
  private let store: Store
  private let session: SourceSession
  private let row: String
  private let hash: String

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.create(org: "wfp-jo")
    let digest = SHA256.digest([9].span)
    session = try store.begin(
      SourceDescription(
        key: SourceKey(exportId: TestRow.id(7), manifest: digest, jsonl: digest),
        origin: .store,
        namespace: try require(Namespace("wfp-jo")),
        exportedAt: "2026-09-03T14:05:11.000Z",
        label: "store"
      ),
      tables: [ObservationLine.table, .submissions],
      policy: IntakePolicy(refusesNamespace: { $0.text == "wfp-jo.bound" })
    )
    row = TestRow.submission(TestRow.id(1)).1
    var reader = RowReader(sha256: SHA256.digest)
    hash = try reader.read(
      line: Array(row.utf8).span,
      table: .submissions,
      namespace: try require(Namespace("wfp-jo"))
    ).hash.hex
  }

  private func add(_ namespaces: String, hash: String? = nil, row: String?) throws -> RowReceipt? {
    let member = row.map { #","row":\#($0)"# } ?? ""
    let text =
      #"{"table":"submissions","hash":"\#(hash ?? self.hash)","namespaces":[\#(namespaces)]\#(member)}"#
    var reader = RowReader(sha256: SHA256.digest)
    return try session.add(
      ObservationLine.read(Array(text.utf8).span, with: &reader),
      number: 1
    )
  }

  @Test func namespacesOfOthersAndBoundOnesAreRefused() throws {
    #expect(try add(#""unicef.u_1""#, row: row)?.reason == .foreignNamespace)
    #expect(try add(#""wfp-jo.u_1","wfp-jo.bound""#, row: row)?.reason == .unboundNamespace)
    #expect(try add(#""wfp-jo.u_2","wfp-jo.u_1""#, row: row)?.outcome == .inserted)
    try session.finish()
    #expect(session.tally[.submissions]?[.rejected] == 2)
    var names: [String] = []
    try store.forEachVersionLine { names.append(String(decoding: $0, as: UTF8.self)) }
    #expect(names.count == 1 && names[0].contains(#"["wfp-jo.u_1","wfp-jo.u_2"]"#))
  }

  @Test func aRowThatIsNotItsHashIsRejected() throws {
    let zeros = String(repeating: "0", count: 64)
    #expect(throws: RowRejection.self) { try add(#""wfp-jo.u_1""#, hash: zeros, row: row) }
    #expect(throws: RowRejection.self) { try add("", row: row) }
    #expect(throws: RowRejection.self) { try add(#""UPPER""#, row: row) }
  }

  @Test func aLineWhoseRowNeverComesIsRejected() throws {
    #expect(try add(#""wfp-jo.u_1""#, row: nil) == nil)
    try session.finish()
    #expect(session.tally[.submissions]?[.rejected] == 1)
    #expect(try store.connection.integer("SELECT count(*) FROM staged") == 0)
    #expect(try store.connection.text("SELECT fault FROM quarantine") == "row-absent")
  }

  /// A displayed row that no line speaks for is no observation.
  @Test func tablesAreDisplay() throws {
    var reader = RowReader(sha256: SHA256.digest)
    let read = try reader.read(
      line: Array(row.utf8).span,
      table: .submissions,
      namespace: try require(Namespace("wfp-jo"))
    )
    #expect(try session.add(PreparedRow(read)) == nil)
    #expect(try add(#""wfp-jo.u_1""#, row: nil) == nil)
    #expect(try session.add(PreparedRow(read))?.outcome == .inserted)
    try session.finish()
    #expect(session.tally[.submissions]?.rows == 1)
  }

  @Test func aDevicesExportMayNotBringObservationLines() throws {
    let tally = try TestExport(
      "wfp-jo.u_1",
      [("x_rasdkit_observations", #"{"table":"kv"}"#)]
    ).take(into: store)
    #expect(tally[ObservationLine.table]?[.rejected] == 1)
  }
}
