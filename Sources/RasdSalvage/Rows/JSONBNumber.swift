/// Numbers of JSONB, which stand there as text.
enum JSONBNumber {
  /// Copies a JSON number; false where it is none (RFC 8259, §6).
  static func copy(_ text: Span<UInt8>, fraction: Bool, to out: inout [UInt8]) -> Bool {
    var at = 0
    if at < text.count, text[at] == UInt8(ascii: "-") { at += 1 }
    let first = at
    at = digits(text, at)
    guard at > first, at == first + 1 || text[first] != UInt8(ascii: "0") else { return false }
    if fraction, at < text.count, text[at] == UInt8(ascii: ".") {
      let start = at + 1
      at = digits(text, start)
      guard at > start else { return false }
    }
    if fraction, at < text.count, text[at] | 0x20 == UInt8(ascii: "e") {
      var start = at + 1
      if start < text.count, text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "-") {
        start += 1
      }
      at = digits(text, start)
      guard at > start else { return false }
    }
    guard at == text.count else { return false }
    for i in text.indices { out.append(text[i]) }
    return true
  }

  /// A hexadecimal integer, written in decimal; past 64 bits as SQLite's infinity.
  static func writeInt5(_ text: Span<UInt8>, to out: inout [UInt8]) -> Bool {
    var at = 0
    if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
      if text[at] == UInt8(ascii: "-") { out.append(UInt8(ascii: "-")) }
      at += 1
    }
    guard at + 2 < text.count, text[at] == UInt8(ascii: "0"),
      text[at + 1] | 0x20 == UInt8(ascii: "x")
    else { return false }
    var value: UInt64 = 0
    var overflows = false
    for i in at + 2..<text.count {
      guard let digit = Character(Unicode.Scalar(text[i])).hexDigitValue else { return false }
      if value >> 60 != 0 { overflows = true }
      value = value << 4 | UInt64(digit)
    }
    out.append(contentsOf: (overflows ? "9.0e999" : String(value)).utf8)
    return true
  }

  /// A number that may lack the digits before or after its point: `.5`, `5.`.
  static func writeFloat5(_ text: Span<UInt8>, to out: inout [UInt8]) -> Bool {
    var full: [UInt8] = []
    for i in text.indices {
      let byte = text[i]
      if i == 0, byte == UInt8(ascii: "+") { continue }
      if byte == UInt8(ascii: "."), !isDigit(full.last) { full.append(UInt8(ascii: "0")) }
      full.append(byte)
      if byte == UInt8(ascii: "."), i + 1 >= text.count || !isDigit(text[i + 1]) {
        full.append(UInt8(ascii: "0"))
      }
    }
    return copy(full.span, fraction: true, to: &out)
  }

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
  }

  private static func digits(_ text: Span<UInt8>, _ from: Int) -> Int {
    var at = from
    while at < text.count, isDigit(text[at]) { at += 1 }
    return at
  }
}
