import Glibc
import RasdCrypto
import RasdModel
import TestSupport
import Testing

@testable import RasdStore

/// A run killed between any two rows leaves a store that opens, and the next run ends where
/// one that was never killed does.
@Suite struct KillTests {
  static let rows = 90
  static let batch = 10

  static func export() -> TestExport {
    var export = TestExport(
      "wfp-jo.u_1",
      (0..<rows).map {
        TestRow.submission(TestRow.id($0 % 40), rev: $0 / 40, answer: "\($0)")
      }
    )
    export.blobs = [(id: "a", bytes: Array("a photo".utf8)), (id: "b", bytes: [1])]
    return export
  }

  static func credentials(_ hex: String) throws -> Credentials {
    var credentials = Credentials()
    credentials.add(.rawKey(try RawKey(Array(hex.utf8).span)), source: "test")
    return credentials
  }

  /// Takes rows up to one, commits in batches, and then is killed.
  static func takeUntilKilled(_ path: String, _ hex: String, at row: Int) throws {
    let store = try Store.open(at: path, credentials: credentials(hex), access: .writing)
    let export = export()
    let session = try store.begin(export.description, tables: export.tables)
    var reader = RowReader(sha256: SHA256.digest)
    for blob in export.blobs {
      var writer = try store.vault.writer()
      try writer.write(blob.bytes.span)
      try session.hold(try writer.finish(), id: blob.id, mime: nil)
    }
    // One that is never finished: what a kill leaves in the spool.
    var torn = try store.vault.writer()
    try torn.write([1, 2, 3].span)
    for i in session.cursor.row..<rows {
      if i == row { kill(getpid(), SIGKILL) }
      let row = try reader.read(
        line: Array(export.rows[i].text.utf8).span,
        table: .submissions,
        namespace: try require(Namespace(export.namespace))
      )
      _ = try session.add(PreparedRow(row))
      if (i + 1) % batch == 0 { try session.commit(at: SourceCursor(row: i + 1)) }
    }
    _ = try torn.finish()
  }

  @Test(arguments: [0, 1, 9, 10, 25, 50, 89])
  func theNextRunEndsInTheSameStore(_ row: Int) async throws {
    let fixture = try StoreFixture()
    let hex = Hex.encode(fixture.key.secret.bytes)
    let whole = try fixture.create("whole")
    let expected = try Self.export().take(into: whole, batch: Self.batch)

    try fixture.create().close()
    let path = fixture.path()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, hex = hex as String, row = row as Int] in
      try KillTests.takeUntilKilled(path, hex, at: row)
    }
    let store = try fixture.open()
    #expect(FileTree.paths(under: fixture.path("store/spool")).isEmpty)
    #expect(try store.check { Issue.record("\($0)") }.faults == 0)
    let record = store.source(try Self.export().description.key)
    #expect(record?.state == .merging && record?.cursor.row == row / Self.batch * Self.batch)
    let tally = try Self.export().take(into: store, batch: Self.batch)
    #expect(tally == expected)
    #expect(try store.digest() == whole.digest())
  }
}
