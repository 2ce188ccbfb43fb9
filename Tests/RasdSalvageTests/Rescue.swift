import RasdModel
import SQLCipherKit
import TestSupport

@testable import RasdSalvage

/// Everything that a salvage of a database in memory gives.
struct Rescue {
  enum Value: Hashable, CustomStringConvertible {
    case null, absent
    case integer(Int64)
    /// By its bits: a REAL comes back exactly, or it did not come back.
    case real(UInt64)
    case text(String)
    case blob([UInt8])
    case brokenText([UInt8])

    static func real(_ value: Double) -> Value { .real(value.bitPattern) }

    var description: String {
      switch self {
      case .null: "null"
      case .absent: "absent"
      case .integer(let value): "\(value)"
      case .real(let bits): "\(Double(bitPattern: bits))"
      case .text(let text): "\"\(text.prefix(40))\"(\(text.utf8.count))"
      case .blob(let bytes): "blob(\(bytes.count))"
      case .brokenText(let bytes): "broken(\(bytes.count))"
      }
    }
  }

  struct Row {
    let table: String
    let kind: RowKind
    let grade: Grade
    let page: UInt32
    let rowid: Int64?
    let notes: RowNotesSet
    let values: [Value]
  }

  private(set) var rows: [Row] = []
  private(set) var columns: [String: [String]] = [:]
  let ledger: SalvageLedger
  let source: PageSource

  init(
    _ database: [UInt8],
    wal: [UInt8] = [],
    journal: [UInt8] = [],
    options: PageSource.Options = .init(),
    profiles: [Profile] = []
  ) async throws {
    try await self.init(
      PageSource.open(
        database: ByteStore(database),
        wals: wal.isEmpty ? [] : [ByteStore(wal)],
        journals: journal.isEmpty ? [] : [ByteStore(journal)],
        options: options
      ),
      profiles: profiles
    )
  }

  init(_ source: PageSource, profiles: [Profile] = []) async throws {
    self.source = source
    guard let namespace = Namespace("example.u_1") else { throw RasdError(.unavailable, .ioError) }
    var salvage = Salvage(source, profiles: profiles, options: .init(namespace: namespace))
    try await salvage.survey()
    let tables = salvage.tables
    var rows: [Row] = []
    ledger = try await salvage.rows { batch in
      for row in batch.rows {
        rows.append(
          Row(
            table: tables[row.table].name,
            kind: row.kind,
            grade: row.grade,
            page: row.page,
            rowid: row.rowid,
            notes: row.notes,
            values: batch.values(of: row).map { Self.value($0, batch.bytes) }
          )
        )
      }
    }
    self.rows = rows
    for table in salvage.tables { columns[table.name] = table.columns }
  }

  private static func value(_ value: SalvagedValue, _ bytes: [UInt8]) -> Value {
    switch value {
    case .null: .null
    case .absent: .absent
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let range): .text(String(decoding: bytes[range.range], as: UTF8.self))
    case .blob(let range): .blob(Array(bytes[range.range]))
    case .brokenText(let range): .brokenText(Array(bytes[range.range]))
    }
  }

  /// The values of a table's live rows, in the order they came.
  func live(_ table: String) -> [[Value]] {
    rows.filter { $0.table == table && $0.kind == .live }.map(\.values)
  }

  /// Rows that were found where deleted ones lie.
  func deleted(_ table: String) -> [Row] {
    rows.filter { $0.table == table && !$0.kind.mayEnter }
  }
}

/// Plain databases that SQLite itself writes, each for one test.
enum Plain {
  /// What SQLite reads in a table, in the order of its key, generated columns that are not stored
  /// left out.
  static func rows(_ connection: Connection, _ table: String) throws -> (
    columns: [String], rows: [[Rescue.Value]]
  ) {
    let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
    let listed = try connection.prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 2")
    try listed.bind(1, text: table)
    var columns: [String] = []
    while try listed.step() { columns.append(listed.text(0)) }
    let names = columns.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
    let each = names.map { "typeof(\($0)), \($0), printf('%.17g', \($0))" }
    let query = try connection.prepare("SELECT \(each.joined(separator: ", ")) FROM \(quoted)")
    var rows: [[Rescue.Value]] = []
    while try query.step() {
      rows.append(
        columns.indices.map { column in
          let at = Int32(3 * column)
          return switch query.text(at) {
          case "integer": .integer(query.integer(at + 1))
          case "real": .real(Double(query.text(at + 2)) ?? .nan)
          case "text": .text(query.text(at + 1))
          case "blob": .blob(query.bytes(at + 1))
          default: .null
          }
        }
      )
    }
    return (columns, rows)
  }

  /// The file that these statements leave; a page size or an encoding is set by the first of them.
  static func database(_ statements: String...) throws -> [UInt8] {
    try database { connection in
      for statement in statements { try connection.execute(statement) }
    }
  }

  static func database(_ fill: (Connection) throws -> Void) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let connection = try Connection(plainOutput: folder.file("a.db"))
    try fill(connection)
    connection.close()
    return try File.read(folder.file("a.db"))
  }
}
