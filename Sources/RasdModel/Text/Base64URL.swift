/// Unpadded base64url (RFC 4648, §5), canonical only: one text for each byte string.
package enum Base64URL {
  private static let alphabet: [UInt8] = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
  )

  package static func encode(_ bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var pool: UInt32 = 0
    var bits = 0
    for i in bytes.indices {
      pool = pool << 8 | UInt32(bytes[i])
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(pool >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(pool << UInt32(6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

  /// The bytes of `text`; nil for padding, foreign characters, an impossible length or
  /// bits left over that are not zero.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var pool: UInt32 = 0
    var bits = 0
    for character in text.utf8 {
      guard let sextet = value(of: character) else { return nil }
      pool = (pool << 6 | sextet) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pool >> UInt32(bits)))
      }
    }
    guard bits < 6, pool & (1 << UInt32(bits) - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
