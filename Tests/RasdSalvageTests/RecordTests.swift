import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdSalvage

/// Records that SQLite wrote, whose values are known because the tests gave them to it.
@Suite("Records")
struct RecordTests {
  static let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]

  /// The limits of every serial type, and what lies beside them.
  static let values: [Rescue.Value] =
    [0, 1, 2, -1].map { .integer($0) }
    + [7, 15, 23, 31, 47].flatMap { (bits: Int64) -> [Rescue.Value] in
      let limit = Int64(1) << bits
      return [limit - 1, limit, -limit, -limit - 1].map { .integer($0) }
    }
    + [.integer(.min), .integer(.max), .null]
    + [
      0.1, -0.0, 1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, 0x1p47,
      0x1p53 + 2,
      123_456_789_012_345_680,
    ].map { .real($0) }
    + ["", "a", "a\0b", "\0", "Åre مخيم 東京 🏠", String(repeating: "long ", count: 9_000)]
    .map { .text($0) }
    + [0, 1, 56, 57, 70_000].map { .blob(Array(repeating: 0xA5, count: $0)) }

  private func bind(_ value: Rescue.Value, _ column: Int32, _ statement: Statement) throws {
    switch value {
    case .integer(let integer): try statement.bind(column, integer)
    case .real(let bits): try statement.bind(column, real: Double(bitPattern: bits))
    case .text(let text): try statement.bind(column, text: text)
    case .blob(let bytes), .brokenText(let bytes): try statement.bind(column, blob: bytes)
    case .null, .absent: try statement.bindNull(column)
    }
  }

  @Test("Every serial type, exact in every encoding", arguments: encodings)
  func serialTypes(encoding: String) async throws {
    let database = try Plain.database { connection in
      try connection.execute("PRAGMA encoding = '\(encoding)'; CREATE TABLE t (before, v, after)")
      let insert = try connection.prepare("INSERT INTO t VALUES ('b', ?, 7)")
      for value in Self.values {
        try bind(value, 1, insert)
        try insert.run()
        insert.reset()
      }
    }
    let rescue = try await Rescue(database)
    #expect(rescue.live("t") == Self.values.map { [.text("b"), $0, .integer(7)] })
    #expect(rescue.rows.allSatisfy { $0.grade == .plausible && $0.notes.isEmpty })
    #expect(rescue.ledger.isBalanced)
  }

  @Test("A REAL column keeps whole numbers as integers and gives them back as REAL")
  func realColumn() async throws {
    let reals = [0, 1, -1, 0x1p46, 0x1p47, 0x1p53, 1e300, -0.0, 0.5]
    let database = try Plain.database { connection in
      try connection.execute("CREATE TABLE t (r REAL, k REAL PRIMARY KEY) WITHOUT ROWID")
      let insert = try connection.prepare("INSERT INTO t VALUES (?, ?)")
      for (i, real) in reals.enumerated() {
        try insert.bind(1, real: real)
        try insert.bind(2, real: Double(i))
        try insert.run()
        insert.reset()
      }
    }
    let rescue = try await Rescue(database)
    let wanted = reals.enumerated().map { (i, real) in [Rescue.Value.real(real), .real(Double(i))] }
    #expect(
      rescue.live("t").map { $0.map(Self.unsigned) } == wanted.map { $0.map(Self.unsigned) }
    )
  }

  /// SQLite itself stores -0.0 in a REAL column as the integer 0.
  private static func unsigned(_ value: Rescue.Value) -> Rescue.Value {
    value == .real(-0.0) ? .real(0.0) : value
  }

  @Test("TEXT that does not decode keeps its bytes")
  func brokenText() async throws {
    let rescue = try await Rescue(
      try Plain.database("CREATE TABLE t (v)", "INSERT INTO t VALUES (CAST(x'61FF62' AS TEXT))")
    )
    #expect(rescue.live("t") == [[.brokenText([0x61, 0xFF, 0x62])]])
    #expect(rescue.rows.first?.notes == .textBroken)
  }

  // MARK: Overflow

  struct Layout: Sendable, CustomStringConvertible {
    let pageSize: Int
    let reserved: Int
    var usable: Int { pageSize - reserved }
    var description: String { "\(pageSize) less \(reserved)" }
  }

  static let layouts = [512, 1_024, 4_096, 65_536].flatMap { size in
    [0, 1, 16, 32, 80, 255].filter { size - $0 >= 480 }.map { Layout(pageSize: size, reserved: $0) }
  }

  /// A database without tables that reserves bytes on each page: SQLite keeps to what it finds.
  private static func empty(_ layout: Layout) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: layout.pageSize)
    page.replaceSubrange(0..<16, with: DatabaseHeader.magic)
    let size = layout.pageSize == 65_536 ? 1 : layout.pageSize
    page[16] = UInt8(truncatingIfNeeded: size >> 8)
    page[17] = UInt8(truncatingIfNeeded: size)
    page.replaceSubrange(18..<24, with: [1, 1, UInt8(layout.reserved), 64, 32, 32])
    page[31] = 1
    page[47] = 4
    page[59] = 1
    page[100] = 13
    page[105] = UInt8(truncatingIfNeeded: layout.usable >> 8)
    page[106] = UInt8(truncatingIfNeeded: layout.usable)
    return page
  }

  @Test("Payloads about every limit of the spill formula", arguments: layouts)
  func spill(layout: Layout) async throws {
    let usable = layout.usable
    let leaf = usable - 35
    let index = (usable - 12) * 64 / 255 - 23
    let minimum = (usable - 12) * 32 / 255 - 23
    let edges = [leaf, index, minimum, leaf + usable - 4, index + usable - 4, minimum + usable - 4]
    let sizes = Set(edges.flatMap { ($0 - 9)...($0 + 2) } + [3 * usable, 9 * usable + 5])
      .filter { $0 > 0 }.sorted()
    let folder = try TemporaryDirectory()
    let path = try folder.write(Self.empty(layout), to: "a.db")
    let connection = try Connection(plainOutput: path)
    try connection.execute(
      """
      CREATE TABLE t (n INTEGER PRIMARY KEY, b BLOB);
      CREATE TABLE w (n INTEGER PRIMARY KEY, b BLOB) WITHOUT ROWID;
      """
    )
    var random = SeededGenerator(seed: UInt64(usable))
    var wanted: [[Rescue.Value]] = []
    for table in ["t", "w"] {
      let insert = try connection.prepare("INSERT INTO \(table) VALUES (?, ?)")
      for (i, size) in sizes.enumerated() {
        if table == "t" { wanted.append([.integer(Int64(i)), .blob(random.bytes(size))]) }
        try insert.bind(1, Int64(i))
        try bind(wanted[i][1], 2, insert)
        try insert.run()
        insert.reset()
      }
    }
    connection.close()
    let database = try File.read(path)
    #expect(Int(database[20]) == layout.reserved)
    let rescue = try await Rescue(database)
    #expect(rescue.source.usableSize == usable)
    for table in ["t", "w"] {
      let found = rescue.live(table).sorted { Self.number($0) < Self.number($1) }
      #expect(found == wanted, "\(table)")
    }
    #expect(rescue.rows.allSatisfy { $0.notes.isEmpty })
    // Every page is accounted for: a formula off by a byte leaves links over.
    let others = rescue.rows.filter { $0.kind != .live }
    #expect(others.isEmpty, "\(others)")
  }

  private static func number(_ row: [Rescue.Value]) -> Int64 {
    if case .integer(let number) = row[0] { number } else { -1 }
  }

  // MARK: Deleted

  /// Tables whose first field lies under the freeblock's header in a different way each.
  static let shapes = [
    "id INTEGER PRIMARY KEY, note TEXT, n INTEGER, at REAL",
    "note TEXT, n INTEGER, at REAL",
    "n INTEGER, note TEXT, at REAL",
    "at REAL, note TEXT, n INTEGER",
  ]

  @Test("A freeblock over a deleted cell: all but its rowid is rebuilt", arguments: shapes)
  func freeblock(shape: String) async throws {
    let database = try Plain.database(
      "PRAGMA page_size = 4096; PRAGMA secure_delete = OFF",
      "CREATE TABLE t (\(shape))",
      """
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40)
      INSERT INTO t (note, n, at) SELECT 'note ' || i || ' of the camp', 1000 + i, i + 0.5 FROM c
      """,
      "DELETE FROM t WHERE n % 4 = 0"
    )
    let rescue = try await Rescue(database)
    #expect(rescue.live("t").count == 30)
    let columns = try #require(rescue.columns["t"])
    let found = Set(
      rescue.deleted("t").map { row in
        columns.indices.filter { columns[$0] != "id" }
          .sorted { columns[$0] < columns[$1] }.map { row.values[$0] }
      }
    )
    var wanted: Set<[Rescue.Value]> = []
    for i in stride(from: 4, through: 40, by: 4) {
      let note = "note \(i) of the camp"
      wanted.insert([.real(Double(i) + 0.5), .integer(Int64(1_000 + i)), .text(note)])
    }
    #expect(found == wanted)
    // The cell that was written last lay next to the gap and has become part of it.
    #expect(rescue.deleted("t").count { $0.kind == .freeblock } == 9)
  }

  @Test("A deleted row of a WITHOUT ROWID table comes back, its first type from its length")
  func withoutRowid() async throws {
    let database = try Plain.database(
      "PRAGMA page_size = 1024; PRAGMA secure_delete = OFF",
      "CREATE TABLE w (k TEXT PRIMARY KEY, v TEXT, n INTEGER) WITHOUT ROWID",
      """
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 200)
      INSERT INTO w SELECT printf('key %05d', i), printf('value %0120d', i), 70000 + i FROM c
      """,
      "DELETE FROM w WHERE n % 10 = 0"
    )
    let rescue = try await Rescue(database)
    let live = Set(rescue.live("w"))
    #expect(live.count == 180)
    let deleted = Set(rescue.deleted("w").map(\.values))
    #expect(deleted.isDisjoint(with: live))
    var wanted: Set<[Rescue.Value]> = []
    for i in stride(from: 10, through: 200, by: 10) {
      let digits = String(repeating: "0", count: 120) + "\(i)"
      let key = "key " + digits.suffix(5)
      wanted.insert([.text(key), .text("value " + digits.suffix(120)), .integer(Int64(70_000 + i))])
    }
    #expect(deleted.isSubset(of: wanted))
    // One that stood in an interior page had its place taken by a row of a leaf.
    #expect(deleted.count >= 14, "\(deleted.count)")
  }
  struct Keyed: Sendable, CustomStringConvertible {
    let columns: String
    let values: String
    /// Of 25 deleted rows, how many come back at least: where one stood in an interior page, a row of
    /// a leaf took its place.
    let atLeast: Int
    var description: String { columns }
  }

  /// The header's four bytes lie over two types, over one of two bytes, or over half of the second.
  static let keyed = [
    Keyed(
      columns: "k TEXT PRIMARY KEY, n INTEGER, v TEXT",
      values: "printf('key %05d', i), 70000 + i, printf('value %d of the camp', i * i)",
      atLeast: 24
    ),
    Keyed(
      columns: "n INTEGER PRIMARY KEY, v TEXT, w TEXT",
      values: "70000 + i, printf('value %d of the camp', i * i), printf('%d', i)",
      atLeast: 24
    ),
    Keyed(
      columns: "k TEXT PRIMARY KEY, v TEXT, n REAL",
      values: "printf('key %05d', i), printf('value %d of the camp', i * i), i + 0.5",
      atLeast: 25
    ),
    Keyed(
      columns: "k TEXT PRIMARY KEY, n INTEGER, v TEXT",
      values: "printf('key %070d', i), 70000 + i, printf('%d', i * i)",
      atLeast: 24
    ),
    Keyed(
      columns: "k TEXT PRIMARY KEY, v TEXT, n INTEGER",
      values: "printf('key %05d', i), printf('value %065d', i), 70000 + i",
      atLeast: 25
    ),
    // Where one ends and the other begins nothing says.
    Keyed(
      columns: "k TEXT PRIMARY KEY, v TEXT",
      values: "printf('key %d', i * i), printf('value %d', i * i * i)",
      atLeast: 0
    ),
  ]

  @Test(
    "A short deleted row of a WITHOUT ROWID table loses two types and comes back",
    arguments: keyed
  )
  func shortWithoutRowid(keyed: Keyed) async throws {
    let gone = "i % 10 = 0 OR i BETWEEN 143 AND 147"
    let rows = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 200)"
    var wanted: Set<[Rescue.Value]> = []
    let database = try Plain.database { connection in
      try connection.execute(
        """
        PRAGMA page_size = 1024; PRAGMA secure_delete = OFF;
        CREATE TABLE w (\(keyed.columns)) WITHOUT ROWID;
        CREATE TEMP TABLE gone (\(keyed.columns));
        \(rows) INSERT INTO gone SELECT \(keyed.values) FROM c WHERE \(gone);
        \(rows) INSERT INTO w SELECT \(keyed.values) FROM c;
        """
      )
      wanted = Set(try Plain.rows(connection, "gone").rows)
      let key = keyed.columns.prefix { $0 != " " }
      try connection.execute("DELETE FROM w WHERE \(key) IN (SELECT \(key) FROM gone)")
    }
    let rescue = try await Rescue(database)
    let live = Set(rescue.live("w"))
    #expect(live.count == 200 - wanted.count)
    let deleted = rescue.deleted("w").map(\.values)
    #expect(live.isDisjoint(with: deleted))
    #expect(wanted.isSuperset(of: deleted))
    #expect(Set(deleted).count >= keyed.atLeast, "\(Set(deleted).count) of \(wanted.count)")
  }
}
