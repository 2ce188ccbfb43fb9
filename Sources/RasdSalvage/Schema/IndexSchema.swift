/// An ordinary index, as far as telling its entries from rows needs it.
struct IndexSchema: Hashable, Sendable {
  var name: String
  var table: String
  /// Names of the indexed columns; `nil` for an expression.
  var columns: [String?]
  /// Whether a `WHERE` leaves rows out.
  var isPartial = false

  /// Reads a `CREATE INDEX` statement; `nil` where it is none.
  static func parse(_ text: Span<UInt8>) -> IndexSchema? {
    var cursor = SQLCursor(text)
    guard cursor.take("create") else { return nil }
    _ = cursor.take("unique")
    guard cursor.take("index") else { return nil }
    if cursor.take("if") { _ = cursor.take("not") && cursor.take("exists") }
    guard var name = cursor.takeName() else { return nil }
    while cursor.take(symbol: ".") { name = cursor.takeName() ?? name }
    guard cursor.take("on"), let table = cursor.takeName(),
      cursor.peek()?.kind == .symbol(UInt8(ascii: "("))
    else { return nil }
    let sql = cursor.sql
    let columns = cursor.split(cursor.parenthesized(), by: ",").map { item -> String? in
      let isPlain = item.allSatisfy {
        if case .symbol = sql.tokens[$0].kind { false } else { true }
      }
      guard isPlain, let first = item.first, sql.tokens[first].kind != .number else { return nil }
      return sql.text(sql.tokens[first])
    }
    return IndexSchema(name: name, table: table, columns: columns, isPartial: cursor.take("where"))
  }

  /// Where an entry holds the columns of the table's primary key; `nil` where it lacks one, or
  /// stores one in another form than the table does.
  func keyFields(of table: TableSchema) -> [Int]? {
    guard !table.primaryKey.isEmpty, table.rowidColumn == nil else { return nil }
    var places: [Int] = []
    var next = columns.count
    for key in table.primaryKey {
      guard table.columns[key].affinity != .real else { return nil }
      if let place = columns.firstIndex(where: { name in
        name.map { table.column(named: $0) == key } ?? false
      }) {
        places.append(place)
      } else if table.isWithoutRowid {
        places.append(next)
        next += 1
      } else {
        return nil
      }
    }
    return places
  }
}
