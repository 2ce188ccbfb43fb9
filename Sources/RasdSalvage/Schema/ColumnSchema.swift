/// A value as a schema's `DEFAULT` or a decoded column holds it.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// One column of a table, as its `CREATE TABLE` declares it.
struct ColumnSchema: Hashable, Sendable {
  enum Generated: Hashable, Sendable { case no, virtual, stored }

  var name: String
  var declaredType = ""
  var affinity = Affinity.blob
  var isNotNull = false
  var generated = Generated.no
  /// What a row stored before the column was added reads as.
  var defaultValue = SQLValue.null
  /// Texts that a `CHECK (column IN (…))` names; empty where there is none.
  var allowed: [String] = []
  /// `CHECK (json_valid(column))`.
  var isJSONChecked = false
  var isPrimaryKey = false
  /// What a profile says its values look like.
  var pattern: ValuePattern?

  init(name: String) { self.name = name }
}

/// A table, as far as decoding its rows needs it.
struct TableSchema: Hashable, Sendable {
  var name: String
  var columns: [ColumnSchema]
  var isWithoutRowid = false
  var isStrict = false
  /// The column that is the rowid: `INTEGER PRIMARY KEY`.
  var rowidColumn: Int?
  /// Columns of the primary key, in its order.
  var primaryKey: [Int] = []
  /// For each field of a stored record, the column it holds.
  ///
  /// A `WITHOUT ROWID` record begins with its key; virtual columns are never stored.
  private(set) var stored: [Int] = []

  init(name: String, columns: [ColumnSchema]) {
    self.name = name
    self.columns = columns
    arrange()
  }

  /// Works out the order of stored fields; called again when the key or the columns change.
  mutating func arrange() {
    stored = []
    if isWithoutRowid {
      for column in primaryKey where !stored.contains(column) { stored.append(column) }
    }
    let first = Set(stored)
    for (i, column) in columns.enumerated()
    where column.generated != .virtual && !first.contains(i) {
      stored.append(i)
    }
  }

  /// Whether two statements declare the same columns of one name.
  func isSameTable(as other: TableSchema) -> Bool {
    name == other.name && stored == other.stored && isWithoutRowid == other.isWithoutRowid
      && columns.map(\.name) == other.columns.map(\.name)
      && columns.map(\.affinity) == other.columns.map(\.affinity)
  }

  func column(named name: String) -> Int? {
    columns.firstIndex { $0.name.lowercased() == name.lowercased() }
  }

  /// A table nothing is known of but how many columns its rows have: `c0` … .
  static func unnamed(_ name: String, columns count: Int, isWithoutRowid: Bool) -> TableSchema {
    var table = TableSchema(
      name: name,
      columns: (0..<count).map { ColumnSchema(name: "c\($0)") }
    )
    table.isWithoutRowid = isWithoutRowid
    return table
  }
}
