/// One token of a schema statement.
struct SQLToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A bare word: a keyword or a name.
    case word
    /// `"…"`, `` `…` `` or `[…]`.
    case quotedName
    /// `'…'`, which SQLite takes for a name too where only a name fits.
    case string
    case number
    /// `x'…'`.
    case blob
    /// One byte of punctuation.
    case symbol(UInt8)
  }

  let kind: Kind
  let range: Range<Int>
}

/// The tokens of a `CREATE` statement, as SQLite's own tokenizer cuts them, comments left out.
struct SQLTokens {
  /// Longest statement read: far above any real schema, and bounds the memory of its tokens.
  static let maximumLength = 1_000_000

  let bytes: [UInt8]
  private(set) var tokens: [SQLToken] = []

  init(_ sql: Span<UInt8>) {
    let length = min(sql.count, Self.maximumLength)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    for i in 0..<length { bytes.append(sql[i]) }
    self.bytes = bytes
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case 0: return
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20: at += 1
      case UInt8(ascii: "-") where peek(at + 1) == UInt8(ascii: "-"):
        while at < bytes.count, bytes[at] != 0x0A { at += 1 }
      case UInt8(ascii: "/") where peek(at + 1) == UInt8(ascii: "*"):
        at += 2
        while at < bytes.count,
          !(bytes[at] == UInt8(ascii: "*") && peek(at + 1) == UInt8(ascii: "/"))
        { at += 1 }
        at = min(at + 2, bytes.count)
      case UInt8(ascii: "'"): add(.string, from: &at, quote: byte)
      case UInt8(ascii: "\""), UInt8(ascii: "`"): add(.quotedName, from: &at, quote: byte)
      case UInt8(ascii: "["): add(.quotedName, from: &at, quote: UInt8(ascii: "]"))
      case UInt8(ascii: "x"), UInt8(ascii: "X"):
        if peek(at + 1) == UInt8(ascii: "'") {
          let start = at
          at += 1
          add(.blob, from: &at, quote: UInt8(ascii: "'"), start: start)
        } else {
          addRun(.word, from: &at)
        }
      case UInt8(ascii: "0")...UInt8(ascii: "9"): addNumber(from: &at)
      case UInt8(ascii: ".") where isDigit(peek(at + 1)): addNumber(from: &at)
      case _ where Self.isWordByte(byte): addRun(.word, from: &at)
      default:
        tokens.append(SQLToken(kind: .symbol(byte), range: at..<at + 1))
        at += 1
      }
    }
  }

  /// Names may hold any byte above ASCII, and `$` after the first.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private func peek(_ at: Int) -> UInt8 { at < bytes.count ? bytes[at] : 0 }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private mutating func addRun(_ kind: SQLToken.Kind, from at: inout Int) {
    let start = at
    while at < bytes.count, Self.isWordByte(bytes[at]) { at += 1 }
    tokens.append(SQLToken(kind: kind, range: start..<at))
  }

  private mutating func addNumber(from at: inout Int) {
    let start = at
    while at < bytes.count {
      let byte = bytes[at]
      let signOfExponent =
        (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && at > start
        && bytes[at - 1] | 0x20 == UInt8(ascii: "e") && bytes[start..<at].allSatisfy { $0 != 0x78 }
      guard Self.isWordByte(byte) || byte == UInt8(ascii: ".") || signOfExponent else { break }
      at += 1
    }
    tokens.append(SQLToken(kind: .number, range: start..<at))
  }

  /// Takes a quoted token whose doubled quotes stand for one; an unclosed one runs to the end.
  private mutating func add(
    _ kind: SQLToken.Kind,
    from at: inout Int,
    quote: UInt8,
    start: Int? = nil
  ) {
    let start = start ?? at
    at += 1
    while at < bytes.count {
      if bytes[at] == quote {
        if quote != UInt8(ascii: "]"), peek(at + 1) == quote {
          at += 2
          continue
        }
        at += 1
        break
      }
      at += 1
    }
    tokens.append(SQLToken(kind: kind, range: start..<at))
  }

  /// A token's text with its quotes taken off.
  func text(_ token: SQLToken) -> String {
    var inner = bytes[token.range]
    switch token.kind {
    case .quotedName, .string:
      guard let first = inner.popFirst() else { return "" }
      let quote = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
      if inner.last == quote { inner.removeLast() }
      if quote == UInt8(ascii: "]") { return String(decoding: inner, as: UTF8.self) }
      var out: [UInt8] = []
      var doubled = false
      for byte in inner {
        if byte == quote, !doubled {
          doubled = true
          continue
        }
        if doubled { out.append(quote) }
        doubled = false
        if byte != quote { out.append(byte) }
      }
      if doubled { out.append(quote) }
      return String(decoding: out, as: UTF8.self)
    default: return String(decoding: inner, as: UTF8.self)
    }
  }

  /// Whether a token is the bare word `keyword`, given in lower case.
  func isWord(_ token: SQLToken, _ keyword: String) -> Bool {
    guard token.kind == .word, token.range.count == keyword.utf8.count else { return false }
    var i = token.range.lowerBound
    for byte in keyword.utf8 {
      let there = bytes[i]
      guard there == byte || (there | 0x20 == byte && there >= 0x41 && there <= 0x5A) else {
        return false
      }
      i += 1
    }
    return true
  }
}
