/// Reads a `CREATE TABLE` statement as SQLite stores it in `sqlite_schema`.
///
/// What it must get right is which fields a stored record has, in which order, and what each
/// may hold; expressions are skipped by their parentheses.
struct TableParser {
  private var cursor: SQLCursor
  private var sql: SQLTokens { cursor.sql }
  private var table: TableSchema

  /// The table, or `nil` where the statement is none or declares no columns.
  static func parse(_ text: Span<UInt8>, name: String? = nil) -> TableSchema? {
    var parser = TableParser(text)
    return parser.statement(name: name)
  }

  static func parse(_ text: String, name: String? = nil) -> TableSchema? {
    let bytes = Array(text.utf8)
    return parse(bytes.span, name: name)
  }

  private init(_ text: Span<UInt8>) {
    cursor = SQLCursor(text)
    table = TableSchema(name: "", columns: [])
  }

  // MARK: Statement

  private mutating func statement(name: String?) -> TableSchema? {
    guard cursor.take("create") else { return nil }
    _ = cursor.take("temp") || cursor.take("temporary")
    guard cursor.take("table") else { return nil }
    if cursor.take("if") { _ = cursor.take("not") && cursor.take("exists") }
    guard var last = cursor.takeName() else { return nil }
    while cursor.take(symbol: ".") { last = cursor.takeName() ?? last }
    table.name = name ?? last
    guard cursor.take(symbol: "(") else { return nil }
    repeat {
      guard let token = cursor.peek() else { break }
      if isTableConstraint(token) {
        tableConstraints()
      } else {
        guard table.columns.count < SerialType.maximumColumns, column() else { break }
      }
    } while cursor.take(symbol: ",")
    cursor.skipPastClose()
    options()
    guard !table.columns.isEmpty else { return nil }
    finish()
    return table
  }

  private mutating func options() {
    while let token = cursor.peek() {
      if cursor.take("without") {
        if cursor.take("rowid") { table.isWithoutRowid = true }
      } else if sql.isWord(token, "strict") {
        table.isStrict = true
        cursor.skip()
      } else {
        cursor.skip()
      }
    }
  }

  private mutating func finish() {
    if table.isWithoutRowid {
      table.rowidColumn = nil
      for i in table.primaryKey { table.columns[i].isNotNull = true }
    }
    for i in table.primaryKey { table.columns[i].isPrimaryKey = true }
    if table.isStrict {
      for i in table.columns.indices where table.columns[i].declaredType.lowercased() == "any" {
        table.columns[i].affinity = .blob
      }
    }
    for i in table.columns.indices {
      // Such a column stores `'1'` as a number.
      let affinity = table.columns[i].affinity
      if affinity != .text, affinity != .blob { table.columns[i].allowed = [] }
      table.columns[i].defaultValue =
        DefaultValue.converted(table.columns[i].defaultValue, to: table.columns[i].affinity)
    }
    table.arrange()
  }

  // MARK: Columns

  private mutating func column() -> Bool {
    guard let name = cursor.takeName() else { return false }
    var column = ColumnSchema(name: name)
    column.declaredType = typeName()
    let index = table.columns.count
    var isKey = false
    var isDescending = false
    var isCollated = false
    while let token = cursor.peek(), token.kind != .symbol(UInt8(ascii: ",")),
      token.kind != .symbol(UInt8(ascii: ")"))
    {
      if cursor.take("constraint") {
        _ = cursor.takeName()
      } else if cursor.take("primary") {
        _ = cursor.take("key")
        isKey = true
        if cursor.take("desc") { isDescending = true }
      } else if cursor.take("not") {
        if cursor.take("null") { column.isNotNull = true }
      } else if cursor.take("default") {
        column.defaultValue = defaultValue()
      } else if cursor.take("check") {
        let range = cursor.parenthesized()
        table.columns.append(column)
        check(range)
        column = table.columns.removeLast()
      } else if cursor.take("collate") {
        _ = cursor.takeName()
        isCollated = true
      } else if cursor.take("generated") {
        _ = cursor.take("always")
      } else if cursor.take("as") {
        _ = cursor.parenthesized()
        column.generated = cursor.take("stored") ? .stored : .virtual
        _ = cursor.take("virtual")
      } else if token.kind == .symbol(UInt8(ascii: "(")) {
        _ = cursor.parenthesized()
      } else {
        cursor.skip()
      }
    }
    column.affinity = Affinity(declared: column.declaredType)
    // Other texts than those that are named may be equal to them.
    if isCollated { column.allowed = [] }
    table.columns.append(column)
    if isKey {
      table.primaryKey = [index]
      if column.declaredType.lowercased() == "integer", !isDescending { table.rowidColumn = index }
    }
    return true
  }

  /// The words of a type and its bracketed sizes; ends where a constraint begins.
  private mutating func typeName() -> String {
    var words: [String] = []
    while let token = cursor.peek() {
      switch token.kind {
      case .word:
        if isColumnConstraint(token) { return words.joined(separator: " ") }
        if sql.isWord(token, "generated"), cursor.at + 2 < sql.tokens.count,
          sql.isWord(sql.tokens[cursor.at + 1], "always"),
          sql.isWord(sql.tokens[cursor.at + 2], "as")
        {
          return words.joined(separator: " ")
        }
        words.append(sql.text(token))
        cursor.skip()
      case .string, .quotedName:
        words.append(sql.text(token))
        cursor.skip()
      case .symbol(UInt8(ascii: "(")):
        guard !words.isEmpty else { return "" }
        let range = cursor.parenthesized()
        words.append("(" + range.map { sql.text(sql.tokens[$0]) }.joined() + ")")
      default: return words.joined(separator: " ")
      }
    }
    return words.joined(separator: " ")
  }

  private func isColumnConstraint(_ token: SQLToken) -> Bool {
    sql.isWord(token, "constraint") || sql.isWord(token, "default") || sql.isWord(token, "null")
      || sql.isWord(token, "not") || sql.isWord(token, "primary") || sql.isWord(token, "unique")
      || sql.isWord(token, "check") || sql.isWord(token, "references")
      || sql.isWord(token, "collate") || sql.isWord(token, "as")
      || sql.isWord(token, "deferrable") || sql.isWord(token, "on")
  }

  private mutating func defaultValue() -> SQLValue {
    if cursor.peek()?.kind == .symbol(UInt8(ascii: "(")) {
      return DefaultValue.constant(sql, cursor.parenthesized())
    }
    let start = cursor.at
    while cursor.take(symbol: "-") || cursor.take(symbol: "+") {}
    cursor.skip()
    return DefaultValue.constant(sql, start..<cursor.at)
  }

  // MARK: Table constraints

  private func isTableConstraint(_ token: SQLToken) -> Bool {
    sql.isWord(token, "constraint") || sql.isWord(token, "primary") || sql.isWord(token, "unique")
      || sql.isWord(token, "check") || sql.isWord(token, "foreign")
  }

  /// One or more constraints; SQLite does not insist on a comma between them.
  private mutating func tableConstraints() {
    while let token = cursor.peek(), token.kind != .symbol(UInt8(ascii: ",")),
      token.kind != .symbol(UInt8(ascii: ")"))
    {
      if cursor.take("primary") {
        _ = cursor.take("key")
        primaryKey(cursor.parenthesized())
      } else if cursor.take("check") {
        check(cursor.parenthesized())
      } else if token.kind == .symbol(UInt8(ascii: "(")) {
        _ = cursor.parenthesized()
      } else {
        cursor.skip()
      }
    }
  }

  private mutating func primaryKey(_ range: Range<Int>) {
    var key: [Int] = []
    for part in cursor.split(range, by: ",") {
      guard let first = part.first, let index = table.column(named: sql.text(sql.tokens[first]))
      else { continue }
      if !key.contains(index) { key.append(index) }
    }
    guard !key.isEmpty else { return }
    table.primaryKey = key
    if key.count == 1, table.columns[key[0]].declaredType.lowercased() == "integer" {
      table.rowidColumn = key[0]
    }
  }

  /// Takes `column IN ('a', 'b')` and `json_valid(column)`, alone or joined by AND.
  private mutating func check(_ range: Range<Int>, depth: Int = 0) {
    var range = range
    // Nobody nests a plain condition deeper, and each level reads all its tokens again.
    let deepest = 8
    var depth = depth
    while depth < deepest, cursor.isWrapped(range) {
      range = range.lowerBound + 1..<range.upperBound - 1
      depth += 1
    }
    if depth >= deepest || cursor.split(range, by: "or").count > 1 { return }
    for part in cursor.split(range, by: "and") {
      if part != range {
        check(part, depth: depth + 1)
        continue
      }
      if let (column, texts) = membership(part) { table.columns[column].allowed = texts }
      if part.count == 4, sql.isWord(sql.tokens[part.lowerBound], "json_valid"),
        let column = table.column(named: sql.text(sql.tokens[part.lowerBound + 2]))
      {
        table.columns[column].isJSONChecked = true
      }
    }
  }

  private func membership(_ part: Range<Int>) -> (Int, [String])? {
    guard part.count >= 5, sql.isWord(sql.tokens[part.lowerBound + 1], "in"),
      let column = table.column(named: sql.text(sql.tokens[part.lowerBound])),
      cursor.isWrapped(part.lowerBound + 2..<part.upperBound)
    else { return nil }
    var texts: [String] = []
    for item in cursor.split(part.lowerBound + 3..<part.upperBound - 1, by: ",") {
      guard item.count == 1, let only = item.first, sql.tokens[only].kind == .string
      else { return nil }
      texts.append(sql.text(sql.tokens[only]))
    }
    return texts.isEmpty ? nil : (column, texts)
  }
}
