/// A double's text as ECMAScript writes it, which is RFC 8785's (§3.2.2.3).
package enum ES6Number {
  package static func append(_ value: Double, to text: inout [UInt8]) {
    guard value != 0 else {
      text.append(UInt8(ascii: "0"))
      return
    }
    if value < 0 { text.append(UInt8(ascii: "-")) }
    let (digits, point) = shortest(value.magnitude)
    let count = digits.count
    switch point {
    case count...21:
      text += digits
      for _ in 0..<max(0, point - count) { text.append(UInt8(ascii: "0")) }
    case 1...21:
      text += digits[..<point]
      text.append(UInt8(ascii: "."))
      text += digits[point...]
    case -5...0:
      text += [UInt8(ascii: "0"), UInt8(ascii: ".")]
      for _ in 0..<(-point) { text.append(UInt8(ascii: "0")) }
      text += digits
    default:
      text.append(digits[0])
      if count > 1 {
        text.append(UInt8(ascii: "."))
        text += digits[1...]
      }
      text.append(UInt8(ascii: "e"))
      text.append(point > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
      text += Array(String((point - 1).magnitude).utf8)
    }
  }

  package static func text(_ value: Double) -> String {
    var text: [UInt8] = []
    append(value, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The fewest digits that read back as `value`, and how many stand before the point.
  ///
  /// 12.5 is `125` and 2. The standard library finds them; only its layout differs.
  private static func shortest(_ value: Double) -> (digits: [UInt8], point: Int) {
    var digits: [UInt8] = []
    var point: Int?
    var exponent = 0
    var description = value.description.utf8[...]
    while let byte = description.popFirst() {
      switch byte {
      case UInt8(ascii: "."): point = digits.count
      case UInt8(ascii: "e"):
        exponent = Int(String(Substring(description))) ?? 0
        description = description.suffix(0)
      default: digits.append(byte)
      }
    }
    var place = (point ?? digits.count) + exponent
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(zeros)
    place -= zeros
    while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (digits, place)
  }
}
