/// Reads the tokens of a statement one after the other; what is not as asked for is left where it
/// stands.
struct SQLCursor {
  let sql: SQLTokens
  /// Index of the next token.
  private(set) var at = 0

  init(_ text: Span<UInt8>) { sql = SQLTokens(text) }

  func peek() -> SQLToken? { at < sql.tokens.count ? sql.tokens[at] : nil }

  mutating func take(_ keyword: String) -> Bool {
    guard let token = peek(), sql.isWord(token, keyword) else { return false }
    at += 1
    return true
  }

  mutating func take(symbol: Unicode.Scalar) -> Bool {
    guard peek()?.kind == .symbol(UInt8(ascii: symbol)) else { return false }
    at += 1
    return true
  }

  mutating func takeName() -> String? {
    guard let token = peek() else { return nil }
    switch token.kind {
    case .word, .quotedName, .string:
      at += 1
      return sql.text(token)
    default: return nil
    }
  }

  /// Skips one token, if there is one.
  mutating func skip() { at = min(at + 1, sql.tokens.count) }

  /// Skips past the bracket that closes what stands here.
  mutating func skipPastClose() {
    var depth = 0
    while let token = peek() {
      if token.kind == .symbol(UInt8(ascii: "(")) { depth += 1 }
      if token.kind == .symbol(UInt8(ascii: ")")) {
        depth -= 1
        if depth < 0 {
          at += 1
          return
        }
      }
      at += 1
    }
  }

  /// Takes `( … )` and returns the tokens between; empty where no bracket opens here.
  mutating func parenthesized() -> Range<Int> {
    guard take(symbol: "(") else { return at..<at }
    let start = at
    skipPastClose()
    let closed = at > start && sql.tokens[at - 1].kind == .symbol(UInt8(ascii: ")"))
    return start..<(closed ? at - 1 : at)
  }

  /// Whether one pair of brackets stands about a range.
  func isWrapped(_ range: Range<Int>) -> Bool {
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

  /// Cuts a range at each top-level comma, or bare word.
  func split(_ range: Range<Int>, by separator: String) -> [Range<Int>] {
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
