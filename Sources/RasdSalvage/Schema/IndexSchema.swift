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
    let sql = SQLTokens(text)
    var at = 0
    func word(_ keyword: String) -> Bool {
      at < sql.tokens.count && sql.isWord(sql.tokens[at], keyword)
    }
    guard word("create") else { return nil }
    at += 1
    if word("unique") { at += 1 }
    guard word("index") else { return nil }
    at += 1
    if word("if") { at += 3 }
    guard at < sql.tokens.count else { return nil }
    var name = sql.text(sql.tokens[at])
    at += 1
    while at + 1 < sql.tokens.count, sql.tokens[at].kind == .symbol(UInt8(ascii: ".")) {
      name = sql.text(sql.tokens[at + 1])
      at += 2
    }
    guard word("on"), at + 2 < sql.tokens.count else { return nil }
    let table = sql.text(sql.tokens[at + 1])
    guard sql.tokens[at + 2].kind == .symbol(UInt8(ascii: "(")) else { return nil }
    at += 3
    var columns: [String?] = []
    var depth = 0
    var item: [SQLToken] = []
    while at < sql.tokens.count, depth >= 0 {
      let token = sql.tokens[at]
      at += 1
      if token.kind == .symbol(UInt8(ascii: "(")) { depth += 1 }
      if token.kind == .symbol(UInt8(ascii: ")")) { depth -= 1 }
      if depth < 0 || depth == 0 && token.kind == .symbol(UInt8(ascii: ",")) {
        let isName = item.first.map { $0.kind != .number } ?? false
        let isPlain =
          isName && item.allSatisfy { if case .symbol = $0.kind { false } else { true } }
        columns.append(isPlain ? item.first.map(sql.text) : nil)
        item = []
      } else {
        item.append(token)
      }
    }
    let isPartial = at < sql.tokens.count && word("where")
    return IndexSchema(name: name, table: table, columns: columns, isPartial: isPartial)
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
