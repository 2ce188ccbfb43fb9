/// What the values of a column look like, by which rows without an owner are told apart.
package enum ValuePattern: String, Hashable, Sendable, CaseIterable {
  /// Lower- or upper-case hexadecimal in groups of 8-4-4-4-12.
  case uuid
  /// 26 characters of Crockford's base 32, the first at most 7.
  case ulid
  /// Begins `YYYY-MM-DDThh:mm`; the rest is not looked at.
  case instant
  /// 64 lower-case hexadecimal digits.
  case sha256
  /// `sha256:` and 64 lower-case hexadecimal digits.
  case taggedSHA256 = "tagged-sha256"
  /// A JSON object or array as text, SQLite's JSONB, or a payload envelope.
  case json
  /// `type/subtype`.
  case mime
  /// A number without a fraction, not below 0.
  case count
  /// 0 or 1.
  case flag

  /// Whether nothing else is ever written there, so that a carved row without it is none.
  var isFirm: Bool { self != .mime && self != .json }

  /// Whether bytes of TEXT (as UTF-8) or BLOB look like it.
  func matches(_ bytes: Span<UInt8>) -> Bool {
    switch self {
    case .uuid:
      bytes.count == 36
        && bytes.indices.allSatisfy {
          $0 == 8 || $0 == 13 || $0 == 18 || $0 == 23
            ? bytes[$0] == UInt8(ascii: "-") : Self.isHex(bytes[$0])
        }
    case .ulid:
      bytes.count == 26 && bytes[0] >= 0x30 && bytes[0] <= 0x37
        && bytes.indices.allSatisfy { Self.isBase32(bytes[$0]) }
    case .instant:
      bytes.count >= 16 && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
        && bytes[13] == UInt8(ascii: ":")
        && [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15].allSatisfy { Self.isDigit(bytes[$0]) }
    case .sha256: bytes.count == 64 && bytes.indices.allSatisfy { Self.isLowerHex(bytes[$0]) }
    case .taggedSHA256:
      bytes.count == 71 && zip(0..<7, "sha256:".utf8).allSatisfy { bytes[$0] == $1 }
        && (7..<71).allSatisfy { Self.isLowerHex(bytes[$0]) }
    case .json: Self.looksLikeJSON(bytes)
    case .mime:
      bytes.count <= 255 && bytes.indices.contains { bytes[$0] == UInt8(ascii: "/") }
        && bytes.indices.allSatisfy { bytes[$0] > 0x20 && bytes[$0] < 0x7F }
    case .count, .flag: false
    }
  }

  /// Whether an integer looks like it.
  func matches(_ value: Int64) -> Bool {
    switch self {
    case .count: value >= 0
    case .flag: value == 0 || value == 1
    default: false
    }
  }

  private static func looksLikeJSON(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 2 else { return bytes.count == 1 }
    switch bytes[0] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return true
    case 0x01: return PayloadEnvelope.isPlausible(bytes)
    case UInt8(ascii: "e"): return bytes[1] == UInt8(ascii: "n")
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "-"): return true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return true
    default: return JSONB.fills(bytes)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  private static func isLowerHex(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte >= 0x61 && byte <= 0x66
  }
  private static func isHex(_ byte: UInt8) -> Bool {
    isLowerHex(byte) || byte >= 0x41 && byte <= 0x46
  }
  private static func isBase32(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case 0x69, 0x6C, 0x6F, 0x75: false
    case 0x61...0x7A: true
    default: isDigit(byte)
    }
  }
}
