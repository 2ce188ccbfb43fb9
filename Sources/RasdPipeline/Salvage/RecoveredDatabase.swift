import Glibc
import RasdModel
import RasdReport
import RasdSalvage
import SQLCipherKit

/// An ordinary SQLite file of all that was recovered, which opens as it is: no constraint stands
/// in the way of a row, and three columns more say how far to trust it.
final class RecoveredDatabase {
  private let path: String
  private let temporary: String
  private let connection: Connection
  private var statements: [Statement?] = []
  private var names: Set<String> = []
  private var isFinished = false

  init(path: String) throws(RasdError) {
    self.path = path
    temporary = path + ".tmp"
    connection = try Connection(plainOutput: temporary)
    try connection.execute("BEGIN")
  }

  deinit { if !isFinished { unsafe unlink(temporary) } }

  func insert(_ batch: RowBatch, of tables: [SalvageTable]) throws(RasdError) {
    for row in batch.rows {
      let statement = try statement(row.table, tables)
      var column: Int32 = 1
      for value in batch.values(of: row) {
        try bind(value, at: column, batch, statement)
        column += 1
      }
      let declared = Int32(tables[row.table].columns.count)
      while column <= declared {
        try statement.bindNull(column)
        column += 1
      }
      if Self.hasRoom(tables[row.table].columns) {
        try statement.bind(declared + 1, text: row.grade.rawValue)
        try statement.bind(declared + 2, text: row.kind.rawValue)
        try statement.bind(declared + 3, Int64(row.page))
      }
      try statement.run()
    }
  }

  func finish() throws(RasdError) {
    try connection.execute("COMMIT")
    statements.removeAll()
    connection.close()
    guard unsafe rename(temporary, path) == 0 else { throw .system(errno, path: path) }
    isFinished = true
  }

  private func bind(
    _ value: SalvagedValue,
    at column: Int32,
    _ batch: RowBatch,
    _ statement: Statement
  ) throws(RasdError) {
    let bytes = batch.bytes.span
    switch value {
    case .null, .absent: try statement.bindNull(column)
    case .integer(let number): try statement.bind(column, number)
    case .real(let number): try statement.bind(column, real: number)
    case .text(let text): try statement.bind(column, text: bytes.extracting(text.range))
    case .blob(let blob), .brokenText(let blob):
      try statement.bind(column, blob: bytes.extracting(blob.range))
    }
  }

  private static let own = ["rasdkit_grade", "rasdkit_kind", "rasdkit_page"]

  /// Whether a table can take ours beside its own: SQLite lets it have 2,000.
  private static func hasRoom(_ columns: [String]) -> Bool { columns.count + own.count <= 2_000 }

  private func statement(_ index: Int, _ tables: [SalvageTable]) throws(RasdError) -> Statement {
    while statements.count <= index { statements.append(nil) }
    if let statement = statements[index] { return statement }
    let table = tables[index]
    let name = free(table.name)
    var used: Set<String> = []
    var columns = table.columns.map { Self.free($0, &used) }
    if Self.hasRoom(table.columns) { columns += Self.own.map { Self.free($0, &used) } }
    let list = columns.map(Self.quoted).joined(separator: ", ")
    try connection.execute("CREATE TABLE \(Self.quoted(name)) (\(list))")
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let made = try connection.prepare("INSERT INTO \(Self.quoted(name)) VALUES (\(places))")
    statements[index] = made
    return made
  }

  /// A name that SQLite lets a table have; those that begin with `sqlite_` are its own.
  private func free(_ name: String) -> String {
    let legal = name.lowercased().hasPrefix("sqlite_") ? "recovered_" + name : name
    return Self.free(legal, &names)
  }

  private static func free(_ name: String, _ used: inout Set<String>) -> String {
    // A NUL would end the statement's text.
    let base = name.replacing("\0", with: "\u{FFFD}")
    var candidate = base.isEmpty ? "_" : base
    var number = 1
    while !used.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "\(base)_\(number)"
    }
    return candidate
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
