/// Reads a `CREATE TABLE` statement as SQLite stores it in `sqlite_schema`.
///
/// What it must get right is which fields a stored record has, in which order, and what each
/// may hold; expressions are skipped by their parentheses.
struct TableParser {
  private let sql: SQLTokens
  private var at = 0
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
    sql = SQLTokens(text)
    table = TableSchema(name: "", columns: [])
  }

  // MARK: Statement

  private mutating func statement(name: String?) -> TableSchema? {
    guard take("create") else { return nil }
    _ = take("temp") || take("temporary")
    guard take("table") else { return nil }
    if take("if") { _ = take("not") && take("exists") }
    guard var last = takeName() else { return nil }
    while take(symbol: ".") { last = takeName() ?? last }
    table.name = name ?? last
    guard take(symbol: "(") else { return nil }
    repeat {
      guard let token = peek() else { break }
      if isTableConstraint(token) {
        tableConstraints()
      } else {
        guard table.columns.count < SerialType.maximumColumns, column() else { break }
      }
    } while take(symbol: ",")
    skip(toClose: true)
    options()
    guard !table.columns.isEmpty else { return nil }
    finish()
    return table
  }

  private mutating func options() {
    while let token = peek() {
      if take("without") {
        if take("rowid") { table.isWithoutRowid = true }
      } else if sql.isWord(token, "strict") {
        table.isStrict = true
        at += 1
      } else {
        at += 1
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
    guard let name = takeName() else { return false }
    var column = ColumnSchema(name: name)
    column.declaredType = typeName()
    let index = table.columns.count
    var isKey = false
    var isDescending = false
    var isCollated = false
    while let token = peek(), token.kind != .symbol(UInt8(ascii: ",")),
      token.kind != .symbol(UInt8(ascii: ")"))
    {
      if take("constraint") {
        _ = takeName()
      } else if take("primary") {
        _ = take("key")
        isKey = true
        if take("desc") { isDescending = true }
      } else if take("not") {
        if take("null") { column.isNotNull = true }
      } else if take("default") {
        column.defaultValue = defaultValue()
      } else if take("check") {
        let range = parenthesized()
        table.columns.append(column)
        check(range)
        column = table.columns.removeLast()
      } else if take("collate") {
        _ = takeName()
        isCollated = true
      } else if take("generated") {
        _ = take("always")
      } else if take("as") {
        _ = parenthesized()
        column.generated = take("stored") ? .stored : .virtual
        _ = take("virtual")
      } else if token.kind == .symbol(UInt8(ascii: "(")) {
        _ = parenthesized()
      } else {
        at += 1
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
    while let token = peek() {
      switch token.kind {
      case .word:
        if isColumnConstraint(token) { return words.joined(separator: " ") }
        if sql.isWord(token, "generated"), at + 2 < sql.tokens.count,
          sql.isWord(sql.tokens[at + 1], "always"), sql.isWord(sql.tokens[at + 2], "as")
        {
          return words.joined(separator: " ")
        }
        words.append(sql.text(token))
        at += 1
      case .string, .quotedName:
        words.append(sql.text(token))
        at += 1
      case .symbol(UInt8(ascii: "(")):
        guard !words.isEmpty else { return "" }
        let range = parenthesized()
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
    var range = at..<at
    if peek()?.kind == .symbol(UInt8(ascii: "(")) {
      range = parenthesized()
    } else {
      let start = at
      while let token = peek(),
        token.kind == .symbol(UInt8(ascii: "-")) || token.kind == .symbol(UInt8(ascii: "+"))
      { at += 1 }
      if at < sql.tokens.count { at += 1 }
      range = start..<at
    }
    return DefaultValue.constant(sql, range)
  }

  // MARK: Table constraints

  private func isTableConstraint(_ token: SQLToken) -> Bool {
    sql.isWord(token, "constraint") || sql.isWord(token, "primary") || sql.isWord(token, "unique")
      || sql.isWord(token, "check") || sql.isWord(token, "foreign")
  }

  /// One or more constraints; SQLite does not insist on a comma between them.
  private mutating func tableConstraints() {
    while let token = peek(), token.kind != .symbol(UInt8(ascii: ",")),
      token.kind != .symbol(UInt8(ascii: ")"))
    {
      if take("primary") {
        _ = take("key")
        primaryKey(parenthesized())
      } else if take("check") {
        check(parenthesized())
      } else if token.kind == .symbol(UInt8(ascii: "(")) {
        _ = parenthesized()
      } else {
        at += 1
      }
    }
  }

  private mutating func primaryKey(_ range: Range<Int>) {
    var key: [Int] = []
    for part in split(range, by: ",") {
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
    while depth < deepest, isWrapped(range) {
      range = range.lowerBound + 1..<range.upperBound - 1
      depth += 1
    }
    if depth >= deepest || split(range, by: "or").count > 1 { return }
    for part in split(range, by: "and") {
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

  private func isWrapped(_ range: Range<Int>) -> Bool {
    guard range.count >= 2, sql.tokens[range.lowerBound].kind == .symbol(UInt8(ascii: "("))
    else { return false }
    var depth = 0
    for i in range {
      if sql.tokens[i].kind == .symbol(UInt8(ascii: "(")) { depth += 1 }
      if sql.tokens[i].kind == .symbol(UInt8(ascii: ")")) { depth -= 1 }
      if depth == 0 { return i == range.upperBound - 1 }
    }
    return false
  }

  private func membership(_ part: Range<Int>) -> (Int, [String])? {
    guard part.count >= 5, sql.isWord(sql.tokens[part.lowerBound + 1], "in"),
      let column = table.column(named: sql.text(sql.tokens[part.lowerBound])),
      isWrapped(part.lowerBound + 2..<part.upperBound)
    else { return nil }
    var texts: [String] = []
    for item in split(part.lowerBound + 3..<part.upperBound - 1, by: ",") {
      guard item.count == 1, let only = item.first, sql.tokens[only].kind == .string
      else { return nil }
      texts.append(sql.text(sql.tokens[only]))
    }
    return texts.isEmpty ? nil : (column, texts)
  }

  // MARK: Tokens

  private func peek() -> SQLToken? { at < sql.tokens.count ? sql.tokens[at] : nil }

  private mutating func take(_ keyword: String) -> Bool {
    guard let token = peek(), sql.isWord(token, keyword) else { return false }
    at += 1
    return true
  }

  private mutating func take(symbol: Unicode.Scalar) -> Bool {
    guard peek()?.kind == .symbol(UInt8(ascii: symbol)) else { return false }
    at += 1
    return true
  }

  private mutating func takeName() -> String? {
    guard let token = peek() else { return nil }
    switch token.kind {
    case .word, .quotedName, .string:
      at += 1
      return sql.text(token)
    default: return nil
    }
  }

  /// Skips to the comma or closing bracket that ends what stands here.
  private mutating func skip(toClose: Bool) {
    var depth = 0
    while let token = peek() {
      if token.kind == .symbol(UInt8(ascii: "(")) { depth += 1 }
      if token.kind == .symbol(UInt8(ascii: ")")) {
        depth -= 1
        if depth < 0 {
          if toClose { at += 1 }
          return
        }
      }
      at += 1
    }
  }

  /// Takes `( … )` and returns the tokens between; empty where no bracket opens here.
  private mutating func parenthesized() -> Range<Int> {
    guard take(symbol: "(") else { return at..<at }
    let start = at
    skip(toClose: true)
    let closed = at > start && sql.tokens[at - 1].kind == .symbol(UInt8(ascii: ")"))
    return start..<(closed ? at - 1 : at)
  }

  /// Cuts a range at each top-level comma, or bare word.
  private func split(_ range: Range<Int>, by separator: String) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var depth = 0
    var start = range.lowerBound
    for i in range {
      let token = sql.tokens[i]
      if token.kind == .symbol(UInt8(ascii: "(")) { depth += 1 }
      if token.kind == .symbol(UInt8(ascii: ")")) { depth -= 1 }
      let cuts =
        token.kind == .symbol(UInt8(ascii: ",")) && separator == ","
        || sql.isWord(token, separator)
      if depth == 0, cuts {
        parts.append(start..<i)
        start = i + 1
      }
    }
    parts.append(start..<range.upperBound)
    return parts.filter { !$0.isEmpty }
  }
}
