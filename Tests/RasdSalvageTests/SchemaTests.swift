import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdSalvage

/// Any `CREATE TABLE` that SQLite takes: the columns and values are those that SQLite itself reads.
@Suite("Schemas")
struct SchemaTests {
  static let statements: [[String]] = [
    ["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"],
    ["create table if not exists main.t(a INT,b,c)", "INSERT INTO t VALUES (1, 'x', NULL)"],
    [
      "CREATE TABLE t (\"a \"\"q\"\"\" TEXT, [b c] INT, `d``e` REAL, 'f''g' BLOB)",
      "INSERT INTO t VALUES ('1', 2, 3, x'04')",
    ],
    [
      "CREATE TABLE t (a -- the first, with a comma\n, b /* ) */ TEXT, c)",
      "INSERT INTO t VALUES (1, 2, 3)",
    ],
    [
      "CREATE TABLE t (عربي TEXT, größe REAL, \"🏠\" INT, a$b)",
      "INSERT INTO t VALUES (1, 2, 3, 4)",
    ],
    [
      "CREATE TABLE t (a VARCHAR(10) NOT NULL DEFAULT 'x,)' COLLATE NOCASE, b DECIMAL(10, 2), c DOUBLE PRECISION)",
      "INSERT INTO t VALUES ('k', 12, 12)",
    ],
    // The rowid's column, and what looks like it and is not.
    ["CREATE TABLE t (a TEXT, n INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES ('x', 77, 'y')"],
    ["CREATE TABLE t (n \"INTEGER\" PRIMARY KEY, b)", "INSERT INTO t VALUES (5, 'y')"],
    ["CREATE TABLE t (n INT PRIMARY KEY, b)", "INSERT INTO t VALUES (9, 'y')"],
    ["CREATE TABLE t (n INTEGER PRIMARY KEY DESC, b)", "INSERT INTO t VALUES (9, 'y')"],
    ["CREATE TABLE t (n INTEGER, b, PRIMARY KEY (n DESC))", "INSERT INTO t VALUES (9, 'y')"],
    [
      "CREATE TABLE t (n INTEGER, b, CONSTRAINT k PRIMARY KEY (n ASC) ON CONFLICT REPLACE)",
      "INSERT INTO t VALUES (-9, 'y')",
    ],
    ["CREATE TABLE t (n INTEGER, b, PRIMARY KEY (n, b))", "INSERT INTO t VALUES (9, 'y')"],
    [
      "CREATE TABLE t (n INTEGER PRIMARY KEY AUTOINCREMENT, b)",
      "INSERT INTO t (b) VALUES ('y')",
    ],
    // WITHOUT ROWID: the record begins with its key.
    [
      "CREATE TABLE t (a, b TEXT, c, d, PRIMARY KEY (c, a)) WITHOUT ROWID",
      "INSERT INTO t VALUES (1, 'two', 3, 4.5)",
    ],
    [
      "CREATE TABLE t (n INTEGER PRIMARY KEY, b) STRICT, WITHOUT ROWID".replacing(
        ", b)",
        with: ", b ANY)"
      ),
      "INSERT INTO t VALUES (4, 1.0)",
    ],
    [
      "CREATE TABLE t (a, b, c, PRIMARY KEY (b, b, c)) WITHOUT ROWID",
      "INSERT INTO t VALUES (1, 2, 3)",
    ],
    // Generated columns: stored ones are values, virtual ones are not there.
    [
      """
      CREATE TABLE t (a INT, v AS (a * 2), s TEXT GENERATED ALWAYS AS (a || ',)') STORED,
        w INT GENERATED ALWAYS AS (a + 1) VIRTUAL, z)
      """,
      "INSERT INTO t (a, z) VALUES (3, 'z')",
    ],
    [
      "CREATE TABLE t (k TEXT PRIMARY KEY, v AS (k || k), s AS (length(k)) STORED) WITHOUT ROWID",
      "INSERT INTO t (k) VALUES ('key')",
    ],
    // Columns that were added later: short rows take the default.
    [
      "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)",
      "ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'it''s'",
      "ALTER TABLE t ADD COLUMN c INT DEFAULT -7", "ALTER TABLE t ADD COLUMN d REAL DEFAULT 3",
      "ALTER TABLE t ADD COLUMN e DEFAULT x'00FF'", "ALTER TABLE t ADD COLUMN f",
      "ALTER TABLE t ADD COLUMN g INT NOT NULL DEFAULT (0x10)",
      "ALTER TABLE t ADD COLUMN h TEXT DEFAULT 12", "ALTER TABLE t ADD COLUMN i INT DEFAULT '13'",
      "ALTER TABLE t ADD COLUMN j DEFAULT +1.5e3", "ALTER TABLE t ADD COLUMN k DEFAULT TRUE",
      "ALTER TABLE t ADD COLUMN l DEFAULT \"quoted\"",
      "ALTER TABLE t ADD COLUMN m NUMERIC DEFAULT 2.0",
      "ALTER TABLE t ADD COLUMN n DEFAULT 9223372036854775808",
      "ALTER TABLE t ADD COLUMN o DEFAULT -9223372036854775808",
      "INSERT INTO t (a, f) VALUES (2, 'whole')",
    ],
    [
      "CREATE TABLE t (a, b, c)", "INSERT INTO t VALUES (1, 2, 3)",
      "ALTER TABLE t RENAME COLUMN b TO \"new, name\"", "ALTER TABLE t DROP COLUMN c",
      "INSERT INTO t VALUES (4, 5)",
    ],
    ["CREATE TABLE old (a, b)", "INSERT INTO old VALUES (1, 2)", "ALTER TABLE old RENAME TO t"],
    ["CREATE TABLE t AS SELECT 1 AS one, 'zwei' AS \"zwei und\", 3.0 AS c"],
    // Constraints of every kind, and names that are keywords elsewhere.
    [
      """
      CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL UNIQUE CHECK (id <> ''), "order" INT REFERENCES t(id)
        ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED, "primary" TEXT CHECK ("primary" IN ('a', 'b''c')),
        key TEXT, generated TEXT, stored INT, always, rowid_ INT,
        FOREIGN KEY ("order") REFERENCES t (id), UNIQUE (key, generated), CHECK (stored > 0 OR stored IS NULL))
      """,
      "INSERT INTO t VALUES ('i', NULL, 'b''c', 'k', 'g', 1, 'a', 3)",
    ],
    [
      "CREATE TABLE t (a NATIVE CHARACTER(70), b UNSIGNED BIG INT, c CHARINT, d FLOATING POINT, e STRING, f BOOLEAN, g DATE)",
      "INSERT INTO t VALUES (1, '2', '3', '4', '5', '6', '7')",
    ],
    [
      "CREATE TABLE t (a INTEGER, b TEXT, c BLOB, d REAL, e ANY) STRICT",
      "INSERT INTO t VALUES (1, 'b', x'03', 4, '005')",
    ],
  ]

  @Test("Columns and values are what SQLite reads", arguments: statements)
  func anyTable(statements: [String]) async throws {
    var known: (columns: [String], rows: [[Rescue.Value]]) = ([], [])
    let database = try Plain.database { connection in
      for statement in statements { try connection.execute(statement) }
      known = try Plain.rows(connection, "t")
    }
    let rescue = try await Rescue(database)
    try #require(!known.rows.isEmpty)
    #expect(rescue.columns["t"] == known.columns)
    #expect(rescue.live("t") == known.rows)
    #expect(rescue.rows.filter { $0.table == "t" }.allSatisfy { $0.grade == .plausible })
  }

  @Test("A table of the widest kind that is read")
  func wide() async throws {
    let count = SerialType.maximumColumns
    let names = (0..<count).map { "column\($0)" }
    let database = try Plain.database(
      "PRAGMA page_size = 512",
      "CREATE TABLE t (\(names.joined(separator: ", ")))",
      "INSERT INTO t VALUES (\((0..<count).map { "\($0)" }.joined(separator: ", ")))"
    )
    let rescue = try await Rescue(database)
    #expect(rescue.columns["t"] == names)
    #expect(rescue.live("t") == [(0..<count).map { .integer(Int64($0)) }])
  }

  @Test("A statement that cannot be read gives c0 … cN")
  func unreadable() async throws {
    var database = try Plain.database(
      "CREATE TABLE visits (id TEXT, n INT)",
      "INSERT INTO visits VALUES ('a', 1), ('b', 2)"
    )
    let text = Array("CREATE TABLE visits".utf8)
    let at = try #require(database.indices.first { database[$0...].starts(with: text) })
    database.replaceSubrange(at..<at + 6, with: Array("CREATX".utf8))
    let rescue = try await Rescue(database)
    #expect(rescue.columns["visits"] == ["c0", "c1"])
    #expect(rescue.live("visits") == [[.text("a"), .integer(1)], [.text("b"), .integer(2)]])
  }

  @Test("A profile applies to each table that is left of a schema that lost pages")
  func partOfSchema() async throws {
    let names = (0..<12).map { "table\($0)" }
    // What tells them apart is how many numbers a row has.
    func sql(_ name: String) -> String {
      let more = (0...(names.firstIndex(of: name) ?? 0)).map { "n\($0) INTEGER" }
      return "CREATE TABLE \(name) (id TEXT PRIMARY KEY, at TEXT, \(more.joined(separator: ", ")))"
    }
    let profile = try Profile(
      json: Array(
        """
        {"profile": 1, "name": "visits", "tables": [\(names.map {
          #"{"sql": "\#(sql($0))", "columns": {"at": {"pattern": "instant"}}}"#
        }.joined(separator: ", "))]}
        """.utf8
      ).span
    )
    let database = try Plain.database { connection in
      try connection.execute("PRAGMA page_size = 512")
      for name in names { try connection.execute(sql(name)) }
      for (i, name) in names.enumerated() {
        try connection.execute(
          """
          WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 9) INSERT INTO \(name)
          SELECT '\(name)-' || i, '2026-01-01T00:00:00Z'\(String(repeating: ", 1000 + i", count: i + 1)) FROM c
          """
        )
      }
    }
    let source = try PageSource.open(database: ByteStore(database))
    let map = try await schemaLeaves(source)
    try #require(map.count > 2)
    // One leaf of sqlite_schema after the other is lost; the rest of it still speaks for the profile.
    for lost in map {
      var damaged = database
      let at = (Int(lost) - 1) * 512
      for i in at..<at + 512 { damaged[i] = 0 }
      let rescue = try await Rescue(damaged, profiles: [profile])
      for name in names {
        let rows = rescue.rows.filter { $0.table == name && $0.kind.mayEnter }
        #expect(rows.count <= 10)
      }
      let named = rescue.rows.count { names.contains($0.table) && $0.kind.mayEnter }
      #expect(named == 120, "leaf \(lost)")
      #expect(rescue.rows.allSatisfy { names.contains($0.table) })
    }
  }

  private func schemaLeaves(_ source: PageSource) async throws -> [UInt32] {
    let root = try #require(source.current(1))
    let spill = SpillRule(usable: source.usableSize)
    let cells = try #require(LeafCells(root, spill: spill))
    return cells.cells.map(\.cell.leftChild) + [cells.header.rightChild]
  }
}
