/// A row of `sqlite_schema`.
struct SchemaEntry: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable { case table, index, view, trigger }

  let kind: Kind
  let name: String
  let tableName: String
  let rootPage: UInt32
  /// The statement as UTF-8; empty for indexes that a constraint makes.
  let sql: [UInt8]
  /// Whether the page that holds it fails its proof.
  let isDoubtful: Bool

  /// Reads the values of one row of `sqlite_schema`; `nil` where they are none.
  init?(_ values: ArraySlice<SalvagedValue>, in bytes: [UInt8], isDoubtful: Bool) {
    guard values.count == 5, case .text(let type) = values[values.startIndex],
      let kind = Kind(rawValue: String(decoding: bytes[type.range], as: UTF8.self)),
      case .text(let name) = values[values.startIndex + 1],
      case .text(let tableName) = values[values.startIndex + 2]
    else { return nil }
    self.isDoubtful = isDoubtful
    self.kind = kind
    self.name = String(decoding: bytes[name.range], as: UTF8.self)
    self.tableName = String(decoding: bytes[tableName.range], as: UTF8.self)
    if case .integer(let root) = values[values.startIndex + 3] {
      rootPage = UInt32(exactly: root) ?? 0
    } else {
      rootPage = 0
    }
    if case .text(let sql) = values[values.startIndex + 4] {
      self.sql = Array(bytes[sql.range])
    } else {
      sql = []
    }
  }

  /// The table that holds these rows.
  static let schema: TableSchema = {
    var table = TableSchema(
      name: "sqlite_schema",
      columns: ["type", "name", "tbl_name", "rootpage", "sql"].map(ColumnSchema.init(name:))
    )
    for i in table.columns.indices { table.columns[i].affinity = i == 3 ? .integer : .text }
    for i in 0..<3 { table.columns[i].isNotNull = true }
    table.columns[0].allowed = ["table", "index", "view", "trigger"]
    return table
  }()
}
