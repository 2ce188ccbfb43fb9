/// What a column's `DEFAULT` says, as far as it is a constant.
///
/// SQLite lets a column be added later only with a constant default, so nothing else is needed.
enum DefaultValue {
  static func constant(_ sql: SQLTokens, _ range: Range<Int>) -> SQLValue {
    var negative = false
    for i in range {
      let token = sql.tokens[i]
      switch token.kind {
      case .symbol(UInt8(ascii: "-")): negative.toggle()
      case .symbol(UInt8(ascii: "+")), .symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: ")")):
        continue
      case .symbol: return .null
      case .number: return number(sql.text(token), negative: negative)
      case .string, .quotedName: return .text(sql.text(token))
      case .blob: return blob(sql.bytes[token.range])
      case .word: return word(sql, token)
      }
    }
    return .null
  }

  /// The value as a column of this affinity stores it.
  static func converted(_ value: SQLValue, to affinity: Affinity) -> SQLValue {
    switch (value, affinity) {
    case (.text(let text), .integer), (.text(let text), .numeric):
      if let integer = Int64(text) { return .integer(integer) }
      if let real = Double(text), real.isFinite { return .real(real) }
      return value
    case (.text(let text), .real):
      if let real = Double(text), real.isFinite { return .real(real) }
      return value
    case (.integer(let integer), .real): return .real(Double(integer))
    case (.integer(let integer), .text): return .text(String(integer))
    case (.real(let real), .text): return .text("\(real)")
    case (.real(let real), .integer), (.real(let real), .numeric):
      if let integer = Int64(exactly: real) { return .integer(integer) }
      return value
    default: return value
    }
  }

  private static func word(_ sql: SQLTokens, _ token: SQLToken) -> SQLValue {
    if sql.isWord(token, "null") { return .null }
    if sql.isWord(token, "true") { return .integer(1) }
    if sql.isWord(token, "false") { return .integer(0) }
    // The clock's words can't be the default of a column that was added later.
    if sql.text(token).lowercased().hasPrefix("current_") { return .null }
    return .text(sql.text(token))
  }

  private static func number(_ text: String, negative: Bool) -> SQLValue {
    let text = text.filter { $0 != "_" }
    if text.lowercased().hasPrefix("0x") {
      guard let bits = UInt64(text.dropFirst(2), radix: 16) else { return .null }
      let value = Int64(bitPattern: bits)
      return .integer(negative ? 0 &- value : value)
    }
    let signed = negative ? "-" + text : text
    if let integer = Int64(signed) { return .integer(integer) }
    guard let real = Double(signed.hasSuffix(".") ? signed + "0" : signed) else { return .null }
    return .real(real)
  }

  private static func blob(_ token: ArraySlice<UInt8>) -> SQLValue {
    var out: [UInt8] = []
    var high: UInt8?
    for byte in token.dropFirst(2).dropLast() {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return .null }
      if let first = high {
        out.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return high == nil ? .blob(out) : .null
  }
}
