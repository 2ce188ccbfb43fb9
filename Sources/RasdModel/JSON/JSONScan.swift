/// The tokens of JSON (RFC 8259), found eight bytes at a time.
enum JSONScan {
  /// A string's place, with its quotes.
  struct Text {
    var start = 0
    var end = 0
    /// Whether it is written as RFC 8785 writes it.
    var isVerbatim = true
    var hasEscape = false
  }

  @inline(__always)
  static func skipSpace(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count {
      let byte = bytes[at]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        break
      }
      at += 1
    }
    return at
  }

  @inline(__always)
  static func literal(
    _ word: StaticString,
    _ bytes: Span<UInt8>,
    from start: Int
  ) throws(JSONError) -> Int {
    let count = word.utf8CodeUnitCount
    for i in 0..<count {
      guard start + i < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
      let expected = unsafe word.utf8Start[i]
      guard bytes[start + i] == expected else { throw JSONError(.unexpectedByte, at: start + i) }
    }
    return start + count
  }

  /// The string whose opening quote stands at `start`.
  @inline(__always)
  static func string(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> Text {
    var text = Text(start: start)
    var isASCII = true
    var at = start + 1
    while true {
      at = special(bytes, from: at, &isASCII)
      guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        if !isASCII { try UTF8Check.prove(bytes, from: start + 1, to: at) }
        text.end = at + 1
        return text
      }
      guard byte == UInt8(ascii: "\\") else { throw JSONError(.controlCharacter, at: at) }
      text.hasEscape = true
      let escape = try JSONScan.escape(bytes, from: at)
      if !escape.isVerbatim { text.isVerbatim = false }
      at = escape.end
    }
  }

  /// The next quote, backslash or control character; clears `isASCII` where a byte before
  /// it is none.
  @inline(__always)
  private static func special(
    _ bytes: Span<UInt8>,
    from start: Int,
    _ isASCII: inout Bool
  ) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let raw = unsafe bytes.bytes
    var seen: UInt64 = 0
    var at = start
    while at + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
      )
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      // In each term the lowest set top bit is exact, so the lowest of all is.
      let found =
        (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
          | ((word &- ones &* 0x20) & ~word)) & tops
      if found != 0 {
        seen |= word & ((found & (0 &- found)) &- 1)
        if seen & tops != 0 { isASCII = false }
        return at + found.trailingZeroBitCount >> 3
      }
      seen |= word
      at += 8
    }
    while at < bytes.count {
      let byte = bytes[at]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      seen |= UInt64(byte)
      at += 1
    }
    if seen & tops != 0 { isASCII = false }
    return at
  }

  /// One escape, or the pair of them that makes a character above U+FFFF.
  private static func escape(
    _ bytes: Span<UInt8>,
    from start: Int
  ) throws(JSONError) -> (end: Int, isVerbatim: Bool) {
    guard start + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return (start + 2, true)
    case UInt8(ascii: "/"):
      return (start + 2, false)
    case UInt8(ascii: "u"):
      let unit = try JSONScan.unit(bytes, from: start)
      switch unit {
      case 0xD800...0xDBFF:
        guard start + 7 < bytes.count, bytes[start + 6] == UInt8(ascii: "\\"),
          bytes[start + 7] == UInt8(ascii: "u")
        else { throw JSONError(.loneSurrogate, at: start) }
        guard (0xDC00...0xDFFF).contains(try JSONScan.unit(bytes, from: start + 6)) else {
          throw JSONError(.loneSurrogate, at: start)
        }
        return (start + 12, false)
      case 0xDC00...0xDFFF:
        throw JSONError(.loneSurrogate, at: start)
      case 0..<0x20:
        let hasShortForm = unit == 8 || unit == 9 || unit == 10 || unit == 12 || unit == 13
        let isLowerCase = bytes[start + 5] < 0x41 || bytes[start + 5] > 0x46
        return (start + 6, !hasShortForm && isLowerCase)
      default:
        return (start + 6, false)
      }
    default:
      throw JSONError(.invalidEscape, at: start)
    }
  }

  /// The UTF-16 unit of the `\uXXXX` at `start`.
  static func unit(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for at in (start + 2)..<(start + 6) {
      guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
      guard let digit = Hex.value(of: bytes[at], .anyCase) else {
        throw JSONError(.invalidEscape, at: start)
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// The number at `start`, and whether its text is surely the one RFC 8785 writes.
  static func number(
    _ bytes: Span<UInt8>,
    from start: Int
  ) throws(JSONError) -> (end: Int, isVerbatim: Bool) {
    let isNegative = bytes[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    var at = digits(bytes, from: first)
    let whole = at - first
    guard whole > 0 else { throw JSONError(.invalidNumber, at: start) }
    let leadsWithZero = bytes[first] == UInt8(ascii: "0")
    guard whole == 1 || !leadsWithZero else { throw JSONError(.invalidNumber, at: start) }
    // Decimals of at most 15 digits each have a double of their own, whose shortest text
    // is the decimal again.
    var isVerbatim = whole <= 15 && !(isNegative && leadsWithZero)
    if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
      let end = digits(bytes, from: at + 1)
      let fraction = end - at - 1
      guard fraction > 0 else { throw JSONError(.invalidNumber, at: start) }
      // Below 10⁻⁶ ECMAScript writes an exponent; a last digit of 0 it never writes.
      isVerbatim =
        whole + fraction <= 15 && bytes[end - 1] != UInt8(ascii: "0")
        && (!leadsWithZero || fraction <= 6)
      at = end
    }
    if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") {
        at += 1
      }
      let end = digits(bytes, from: at)
      guard end > at else { throw JSONError(.invalidNumber, at: start) }
      at = end
      isVerbatim = false
    }
    return (at, isVerbatim)
  }

  /// The end of the digits that begin at `start`.
  @inline(__always)
  private static func digits(_ bytes: Span<UInt8>, from start: Int) -> Int {
    let raw = unsafe bytes.bytes
    var at = start
    while at + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
      )
      let values = word ^ 0x3030_3030_3030_3030
      let found = (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
      if found != 0 { return at + found.trailingZeroBitCount >> 3 }
      at += 8
    }
    while at < bytes.count, bytes[at] &- 0x30 <= 9 { at += 1 }
    return at
  }
}
