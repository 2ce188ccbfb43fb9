import RasdModel
import TestSupport

/// Random JSON texts that strain order, escapes, numbers and layout.
struct RandomJSON {
  var random: SeededGenerator
  /// Names that come again from text to text, as those of a form do.
  private var shared: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for _ in 0..<40 { shared.append(freshName()) }
  }

  mutating func text(depth: Int = 4) -> String { space() + value(depth) + space() }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func value(_ depth: Int) -> String {
    switch pick(depth > 0 ? 9 : 6) {
    case 0: return ["null", "true", "false"][pick(3)]
    case 1, 2: return number()
    case 3, 4, 5: return quoted(string())
    case 6:
      let items = (0..<pick(5)).map { _ in space() + value(depth - 1) + space() }
      return "[" + (items.isEmpty ? space() : items.joined(separator: ",")) + "]"
    default: return object(depth - 1)
    }
  }

  private mutating func object(_ depth: Int) -> String {
    var names: Set<[UInt8]> = []
    var members: [String] = []
    for _ in 0..<pick(pick(10) == 0 ? 60 : 7) {
      let name = pick(4) == 0 ? freshName() : shared[pick(shared.count)]
      guard names.insert(Array(name.utf8)).inserted else { continue }
      members.append(space() + quoted(name) + space() + ":" + space() + value(depth) + space())
    }
    return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
  }

  private mutating func space() -> String {
    pick(5) > 0 ? "" : ["", " ", "\n", "\t \r\n"][pick(4)]
  }

  private mutating func freshName() -> String {
    let stem = ["", "q", "household_member_", "a\0", "\u{FB33}", "\u{1F600}", "é", "e\u{301}"]
    return stem[pick(stem.count)] + string()
  }

  private mutating func string() -> String {
    var text = ""
    for _ in 0..<(pick(20) == 0 ? 40 : pick(6)) {
      let range = [
        0x61...0x66, 0x20...0x7F, 0x00...0x1F, 0x80...0x7FF, 0x600...0x6FF, 0x2000...0x202F,
        0xD700...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
      ][pick(9)]
      guard let scalar = Unicode.Scalar(UInt32(range.lowerBound + pick(range.count))) else {
        continue
      }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  private mutating func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard mustEscape || pick(8) == 0 else {
        quoted.unicodeScalars.append(scalar)
        continue
      }
      let short: [UInt32: String] = [
        8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 0x22: "\\\"", 0x5C: "\\\\",
        0x2F: "\\/",
      ]
      if let form = short[scalar.value], pick(3) > 0 {
        quoted += form
        continue
      }
      for unit in String(scalar).utf16 {
        let hex = String(unit, radix: 16, uppercase: pick(2) == 0)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      }
    }
    return quoted + "\""
  }

  private mutating func number() -> String {
    let sign = pick(3) == 0 ? "-" : ""
    switch pick(7) {
    case 0: return sign + String(pick(1000))
    case 1:
      return sign + String(UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64(pick(64)))
    case 2: return sign + String(pick(1000)) + "." + digits(1 + pick(20))
    case 3: return sign + "0." + String(repeating: "0", count: pick(9)) + digits(1 + pick(4))
    case 4:
      let exponent = ["e", "E"][pick(2)] + ["", "+", "-"][pick(3)] + String(pick(290))
      return sign + String(1 + pick(9)) + ["", "." + digits(1 + pick(17))][pick(2)] + exponent
    case 5:
      let bits = UInt64.random(in: 0...UInt64.max, using: &random)
      let value = Double(bitPattern: bits)
      return value.isFinite ? value.description : sign + "0"
    default: return sign + ["0", "0.0", "1e21", "1e-7", "100", "1.10", "0e5"][pick(7)]
    }
  }

  private mutating func digits(_ count: Int) -> String {
    (0..<count).map { _ in String(pick(10)) }.joined()
  }
}
