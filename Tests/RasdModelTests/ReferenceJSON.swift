import Foundation
import RasdModel

/// RFC 8785 once more, written literally and slowly, sharing nothing with the product but the
/// tree of values it starts from.
enum ReferenceJSON {
  static func canonical(_ value: JSONValue) -> String {
    switch value {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .number(let number): return self.number(number.text)
    case .string(let text): return string(text)
    case .array(let items): return "[" + items.map(canonical).joined(separator: ",") + "]"
    case .object(let members):
      let sorted = members.sorted { Array($0.name.utf16).lexicographicallyPrecedes($1.name.utf16) }
      return "{" + sorted.map { string($0.name) + ":" + canonical($0.value) }.joined(separator: ",")
        + "}"
    }
  }

  static func string(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: quoted += "\\\""
      case 0x5C: quoted += "\\\\"
      case 8: quoted += "\\b"
      case 9: quoted += "\\t"
      case 10: quoted += "\\n"
      case 12: quoted += "\\f"
      case 13: quoted += "\\r"
      case 0..<0x20: quoted += String(format: "\\u%04x", scalar.value)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Number::toString of ECMAScript, on digits that printf finds by trying.
  static func number(_ text: String) -> String {
    let value = unsafe strtod(text, nil)
    if value == 0 { return "0" }
    var digits = ""
    var n = 0
    for precision in 0..<17 {
      let tried = String(format: "%.\(precision)e", abs(value))
      guard unsafe strtod(tried, nil) == abs(value) else { continue }
      let parts = tried.split(separator: "e")
      digits = parts[0].filter { $0 != "." }
      n = (Int(parts[1]) ?? 0) + 1
      break
    }
    let k = digits.count
    let sign = value < 0 ? "-" : ""
    if k <= n, n <= 21 { return sign + digits + String(repeating: "0", count: n - k) }
    if 0 < n, n <= 21 { return sign + digits.prefix(n) + "." + digits.dropFirst(n) }
    if -6 < n, n <= 0 { return sign + "0." + String(repeating: "0", count: -n) + digits }
    let exponent = (n - 1 < 0 ? "-" : "+") + String(abs(n - 1))
    if k == 1 { return sign + digits + "e" + exponent }
    return sign + digits.prefix(1) + "." + digits.dropFirst() + "e" + exponent
  }
}
