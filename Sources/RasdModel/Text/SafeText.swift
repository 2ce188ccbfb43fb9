/// Text out of a file, made fit to stand in a terminal or a report.
package enum SafeText {
  /// `text` with each control and bidirectional character, line separator and backslash
  /// written as an escape: `\u{202e}`, `\n`, `\\`.
  package static func escape(_ text: String) -> String {
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": safe += "\\\\"
      case "\n": safe += "\\n"
      case "\r": safe += "\\r"
      case "\t": safe += "\\t"
      case let scalar where isUnsafe(scalar):
        safe += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// The same for bytes: those that are not UTF-8 become `\xff`.
  package static func escape(bytes: Span<UInt8>) -> String {
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    for i in bytes.indices { copy.append(bytes[i]) }
    if let text = String(validating: copy, as: UTF8.self) { return escape(text) }
    var safe = ""
    for byte in copy {
      if (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") {
        safe.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        safe += "\\x" + Hex.encode([byte])
      }
    }
    return safe
  }

  /// JSON of the same value in which no string shows such a character: `\u202e` stands for it.
  package static func escape(json: [UInt8]) -> [UInt8] {
    // Most has none but letters, digits and marks.
    if json.allSatisfy({ (0x20..<0x7F).contains($0) }) { return json }
    var safe: [UInt8] = []
    safe.reserveCapacity(json.count)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      guard scalar != "\n", isUnsafe(scalar) else {
        safe.append(contentsOf: String(scalar).utf8)
        continue
      }
      for unit in String(scalar).utf16 {
        safe.append(contentsOf: "\\u".utf8)
        let digits = String(unit, radix: 16)
        safe.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
        safe.append(contentsOf: digits.utf8)
      }
    }
    return safe
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return true
    case .format:
      // Joiners shape ordinary words in several scripts and emoji; they hide nothing.
      return scalar.value != 0x200C && scalar.value != 0x200D
    default: return false
    }
  }
}
