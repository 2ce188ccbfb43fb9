/// Strings of JSONB, of its four kinds, written as JSON strings.
enum JSONBText {
  /// Copies text that is already as JSON wants it between quotes.
  ///
  /// With `escapes` it may hold JSON's own escapes; without, nothing that needs one.
  static func copy(_ text: Span<UInt8>, escapes: Bool, to out: inout [UInt8]) -> Bool {
    guard isUTF8(text) else { return false }
    out.append(UInt8(ascii: "\""))
    var at = 0
    while at < text.count {
      let byte = text[at]
      if byte < 0x20 || byte == UInt8(ascii: "\"") { return false }
      if byte == UInt8(ascii: "\\") {
        guard escapes, let length = escape(text, at) else { return false }
        for i in at..<at + length { out.append(text[i]) }
        at += length
        continue
      }
      out.append(byte)
      at += 1
    }
    out.append(UInt8(ascii: "\""))
    return true
  }

  /// Writes text that holds anything, escaping what JSON wants escaped.
  static func writeRaw(_ text: Span<UInt8>, to out: inout [UInt8]) -> Bool {
    guard isUTF8(text) else { return false }
    out.append(UInt8(ascii: "\""))
    for i in text.indices { append(text[i], to: &out) }
    out.append(UInt8(ascii: "\""))
    return true
  }

  /// Rewrites JSON5's escapes (`\'`, `\v`, `\0`, `\xHH`, a continued line) in JSON's.
  static func writeText5(_ text: Span<UInt8>, to out: inout [UInt8]) -> Bool {
    guard isUTF8(text) else { return false }
    out.append(UInt8(ascii: "\""))
    var at = 0
    while at < text.count {
      guard text[at] == UInt8(ascii: "\\") else {
        append(text[at], to: &out)
        at += 1
        continue
      }
      guard at + 1 < text.count else { return false }
      switch text[at + 1] {
      case UInt8(ascii: "'"):
        out.append(UInt8(ascii: "'"))
        at += 2
      case UInt8(ascii: "v"):
        out.append(contentsOf: "\\u000b".utf8)
        at += 2
      case UInt8(ascii: "0"):
        out.append(contentsOf: "\\u0000".utf8)
        at += 2
      case UInt8(ascii: "x"):
        guard at + 3 < text.count, isHex(text[at + 2]), isHex(text[at + 3]) else { return false }
        out.append(contentsOf: "\\u00".utf8)
        out.append(text[at + 2])
        out.append(text[at + 3])
        at += 4
      case 0x0D: at += at + 2 < text.count && text[at + 2] == 0x0A ? 3 : 2
      case 0x0A: at += 2
      case 0xE2:
        // U+2028 and U+2029 continue a line too.
        guard at + 3 < text.count, text[at + 2] == 0x80, text[at + 3] & 0xFE == 0xA8 else {
          return false
        }
        at += 4
      default:
        guard let length = escape(text, at) else { return false }
        for i in at..<at + length { out.append(text[i]) }
        at += length
      }
    }
    out.append(UInt8(ascii: "\""))
    return true
  }

  /// Appends one byte of a string, escaped where JSON wants that.
  @inline(__always)
  static func append(_ byte: UInt8, to out: inout [UInt8]) {
    if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      out.append(byte)
      return
    }
    appendEscaped(byte, to: &out)
  }

  private static func appendEscaped(_ byte: UInt8, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: out.append(UInt8(ascii: "b"))
    case 0x09: out.append(UInt8(ascii: "t"))
    case 0x0A: out.append(UInt8(ascii: "n"))
    case 0x0C: out.append(UInt8(ascii: "f"))
    case 0x0D: out.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): out.append(byte)
    default:
      out.append(contentsOf: "u00".utf8)
      out.append(byte >> 4 | 0x30)
      out.append(hexDigits[Int(byte & 0x0F)])
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)

  private static func isHex(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isHexDigit
  }

  /// Length of the JSON escape at `at`; `nil` where it is none.
  private static func escape(_ text: Span<UInt8>, _ at: Int) -> Int? {
    guard at + 1 < text.count else { return nil }
    switch text[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard at + 5 < text.count, (at + 2...at + 5).allSatisfy({ isHex(text[$0]) }) else {
        return nil
      }
      return 6
    default: return nil
    }
  }

  static func isUTF8(_ text: Span<UInt8>) -> Bool {
    (try? UTF8Span(validating: text)) != nil
  }
}
