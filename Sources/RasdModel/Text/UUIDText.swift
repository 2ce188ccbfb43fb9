/// UUIDs as lower-case text, the only form in which the format knows them.
package enum UUIDText {
  /// The 16 bytes of a lower-case UUID with its hyphens; nil for anything else.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return nil }
    var digits: [UInt8] = []
    for (i, character) in characters.enumerated() {
      if i == 8 || i == 13 || i == 18 || i == 23 {
        guard character == UInt8(ascii: "-") else { return nil }
      } else {
        digits.append(character)
      }
    }
    return Hex.decode(String(decoding: digits, as: UTF8.self))
  }

  /// The text of 16 bytes.
  package static func text(_ bytes: [UInt8]) -> String {
    precondition(bytes.count == 16, "a UUID has 16 bytes")
    let digits = Array(Hex.encode(bytes).utf8)
    var text: [UInt8] = []
    for (i, digit) in digits.enumerated() {
      if i == 8 || i == 12 || i == 16 || i == 20 { text.append(UInt8(ascii: "-")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A version 7 UUID (RFC 9562, §5.7) of a moment and 10 random bytes.
  package static func version7(milliseconds: UInt64, random: [UInt8]) -> String {
    precondition(random.count == 10, "a version 7 UUID takes 10 random bytes")
    var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - $0 * 8)) }
    bytes += random
    bytes[6] = bytes[6] & 0x0F | 0x70
    bytes[8] = bytes[8] & 0x3F | 0x80
    return text(bytes)
  }

  /// A version 4 UUID (RFC 9562, §5.4) of 16 random bytes.
  package static func version4(random: [UInt8]) -> String {
    var bytes = random
    precondition(bytes.count == 16, "a version 4 UUID takes 16 random bytes")
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return text(bytes)
  }
}
