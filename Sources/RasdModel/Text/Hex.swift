/// Lower-case hexadecimal text of bytes, both ways.
package enum Hex {
  private static let digits: [UInt8] = Array("0123456789abcdef".utf8)

  package static func encode(_ bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    for i in bytes.indices {
      text.append(digits[Int(bytes[i] >> 4)])
      text.append(digits[Int(bytes[i] & 15)])
    }
  }

  package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

  /// The bytes of `text`; nil for an odd length or a character that is no digit.
  ///
  /// Upper-case digits are taken only with `.anyCase`: the formats write lower case.
  package static func decode(_ text: some StringProtocol, _ letters: Letters = .lowerCase)
    -> [UInt8]?
  {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      guard let digit = value(of: character, letters) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  package enum Letters: Sendable { case lowerCase, anyCase }

  /// The value of one digit, nil where it is none.
  package static func value(of character: UInt8, _ letters: Letters) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F") where letters == .anyCase:
      character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
