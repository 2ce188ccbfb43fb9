/// SQLite's variable-length integers (file format, §1.6): big-endian, seven bits a byte, nine
/// bytes at most, of which the last carries eight bits.
enum Varint {
  /// The value at `at` and the offset after it; `nil` where `end` comes first.
  @inline(__always)
  static func read(_ bytes: Span<UInt8>, at: Int, end: Int) -> (value: UInt64, next: Int)? {
    guard at >= 0, at < end else { return nil }
    let first = bytes[at]
    if first < 0x80 { return (UInt64(first), at + 1) }
    return readLong(bytes, at: at, end: end)
  }

  private static func readLong(
    _ bytes: Span<UInt8>,
    at: Int,
    end: Int
  ) -> (value: UInt64, next: Int)? {
    var value: UInt64 = 0
    var next = at
    for _ in 0..<8 {
      guard next < end else { return nil }
      let byte = bytes[next]
      next += 1
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return (value, next) }
    }
    guard next < end else { return nil }
    return (value << 8 | UInt64(bytes[next]), next + 1)
  }

  /// Bytes that SQLite's writer uses for a value.
  static func length(of value: UInt64) -> Int {
    var length = 1
    var rest = value >> 7
    while rest > 0, length < 9 {
      rest >>= 7
      length += 1
    }
    return length
  }

  /// Appends a value as SQLite writes it; above 2^56 it takes nine bytes.
  static func append(_ value: UInt64, to out: inout [UInt8]) {
    if value >> 56 != 0 {
      for shift in stride(from: 57, through: 8, by: -7) {
        out.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)) | 0x80)
      }
      out.append(UInt8(truncatingIfNeeded: value))
      return
    }
    let length = length(of: value)
    for i in (0..<length).reversed() {
      out.append(UInt8(truncatingIfNeeded: value >> UInt64(7 * i)) & 0x7F | (i > 0 ? 0x80 : 0))
    }
  }
}
