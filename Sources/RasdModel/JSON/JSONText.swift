/// JSON strings, both ways.
package enum JSONText {
  /// The UTF-8 that the proven string at `start..<end`, quotes included, stands for.
  static func unescaped(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(end - start)
    var at = start + 1
    while at < end - 1 {
      guard bytes[at] == UInt8(ascii: "\\") else {
        text.append(bytes[at])
        at += 1
        continue
      }
      let escape = bytes[at + 1]
      guard escape == UInt8(ascii: "u") else {
        text.append(character(of: escape))
        at += 2
        continue
      }
      var scalar = hex4(bytes, at + 2)
      at += 6
      if (0xD800...0xDBFF).contains(scalar) {
        scalar = 0x10000 + (scalar - 0xD800) << 10 + hex4(bytes, at + 2) - 0xDC00
        at += 6
      }
      appendUTF8(scalar, to: &text)
    }
    return text
  }

  private static func hex4(_ bytes: Span<UInt8>, _ at: Int) -> UInt32 {
    var value: UInt32 = 0
    for i in at..<(at + 4) { value = value << 4 | UInt32(Hex.value(of: bytes[i], .anyCase) ?? 0) }
    return value
  }

  private static func character(of escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: escape
    }
  }

  private static func appendUTF8(_ scalar: UInt32, to text: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift & 0x3F | 0x80) }
    switch scalar {
    case 0..<0x80: text.append(UInt8(truncatingIfNeeded: scalar))
    case 0x80..<0x800: text += [UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0), tail(0)]
    case 0x800..<0x10000:
      text += [UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0), tail(6), tail(0)]
    default:
      text += [UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0), tail(12), tail(6), tail(0)]
    }
  }

  /// Appends `text` in quotes, escaped as RFC 8785, §3.2.2.2 escapes.
  package static func appendQuoted(_ text: String, to json: inout [UInt8]) {
    appendQuoted(text.utf8Span.span, to: &json)
  }

  static func appendQuoted(_ text: Span<UInt8>, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    var start = 0
    for i in text.indices {
      let byte = text[i]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      json.append(bytes: text.extracting(start..<i))
      append(byte, to: &json)
      start = i + 1
    }
    json.append(bytes: text.extracting(start..<text.count))
    json.append(UInt8(ascii: "\""))
  }

  /// The same in ASCII: what lies outside is `\uXXXX`, in lower case.
  package static func appendQuotedASCII(_ text: String, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    for unit in text.utf16 {
      if unit < 0x7F {
        append(UInt8(truncatingIfNeeded: unit), to: &json)
      } else {
        appendUnit(UInt32(unit), to: &json)
      }
    }
    json.append(UInt8(ascii: "\""))
  }

  private static func append(_ byte: UInt8, to json: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
    case 0x08: json += [UInt8(ascii: "\\"), UInt8(ascii: "b")]
    case 0x09: json += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
    case 0x0A: json += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
    case 0x0C: json += [UInt8(ascii: "\\"), UInt8(ascii: "f")]
    case 0x0D: json += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
    case 0..<0x20: appendUnit(UInt32(byte), to: &json)
    default: json.append(byte)
    }
  }

  private static func appendUnit(_ unit: UInt32, to json: inout [UInt8]) {
    json += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
    for shift in [UInt32(12), 8, 4, 0] {
      let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
      json.append(digit < 10 ? digit + 0x30 : digit + 0x57)
    }
  }
}
