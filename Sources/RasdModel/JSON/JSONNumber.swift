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

  static func double(_ bytes: Span<UInt8>) -> Double {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for i in bytes.indices { text.append(bytes[i]) }
    return Double(String(decoding: text, as: UTF8.self)) ?? .nan
  }
}
