/// A number as it was written; its value is the double nearest to it.
package struct JSONNumber: Hashable, Sendable {
  package let text: String

  /// A text that a JSON reader took for a number.
  init(proven text: String) { self.text = text }

  package init(_ value: Int64) { text = String(value) }

  /// Nil for what JSON can't say: infinities and not-a-number.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = ES6Number.text(value)
  }

  package var double: Double { Double(text) ?? .nan }

  /// The integer that the double is, where it is one that doubles hold exactly with all its
  /// neighbours (up to 2⁵³-1); `1.0` and `1e0` are 1.
  package var integer: Int64? { Self.integer(double) }

  static func integer(_ value: Double) -> Int64? {
    guard value.magnitude <= 9_007_199_254_740_991 else { return nil }
    return Int64(exactly: value)
  }

  /// The double nearest to a proven number.
  static func double(_ text: Span<UInt8>) -> Double {
    if text.count <= 15 {
      // A short integer needs no rounding.
      var value: Int64 = 0
      var isInteger = true
      for i in text.indices {
        let digit = text[i] &- 0x30
        isInteger = isInteger && digit <= 9
        value = value &* 10 &+ Int64(digit)
      }
      if isInteger { return Double(value) }
    }
    return unsafe text.withUnsafeBufferPointer {
      unsafe Double(String(decoding: $0, as: UTF8.self)) ?? .nan
    }
  }
}
