/// What a record header says of one column (file format, §2.1).
enum SerialType {
  /// Widest record taken: SQLite allows 2,000 columns by default and 32,767 at most; wider than
  /// the default is a carved accident.
  static let maximumColumns = 2_000

  /// Largest value length taken: SQLite's own limit on a string, BLOB or row.
  static let maximumLength = 1_000_000_000

  /// Bytes a value of this type takes; `nil` for the reserved 10 and 11 and past the limit.
  @inline(__always)
  static func length(_ type: UInt64) -> Int? {
    if type >= 12 {
      let length = (type - 12) >> 1
      return length <= UInt64(maximumLength) ? Int(length) : nil
    }
    switch type {
    case 0, 8, 9: return 0
    case 1, 2, 3, 4: return Int(type)
    case 5: return 6
    case 6, 7: return 8
    default: return nil
    }
  }

  static func isText(_ type: UInt64) -> Bool { type >= 13 && type & 1 == 1 }
  static func isBlob(_ type: UInt64) -> Bool { type >= 12 && type & 1 == 0 }
  static func isInteger(_ type: UInt64) -> Bool { type >= 1 && type <= 6 || type == 8 || type == 9 }

  /// The integer of `length` big-endian two's-complement bytes at `at`.
  @inline(__always)
  static func integer(_ bytes: Span<UInt8>, at: Int, length: Int) -> Int64 {
    guard length > 0 else { return 0 }
    var value = Int64(Int8(bitPattern: bytes[at]))
    for i in 1..<max(1, length) { value = value << 8 | Int64(bytes[at + i]) }
    return value
  }

  /// The integer that a field of an integer type holds, its bytes being at hand.
  static func integer(_ field: RecordField, _ payload: Span<UInt8>) -> Int64 {
    field.type == 8 || field.type == 9
      ? Int64(field.type - 8) : integer(payload, at: field.offset, length: min(8, field.length))
  }

  /// Whether SQLite would have written `value` with this type: it always takes the shortest.
  ///
  /// Types 8 and 9 came with schema format 4; before, 0 and 1 took a byte.
  static func isShortest(_ type: UInt64, _ value: Int64) -> Bool {
    switch type {
    case 1: Int64(Int8.min)...Int64(Int8.max) ~= value
    case 2: !(Int64(Int8.min)...Int64(Int8.max) ~= value)
    case 3: !(Int64(Int16.min)...Int64(Int16.max) ~= value)
    case 4: !(-0x80_0000...0x7F_FFFF ~= value)
    case 5: !(Int64(Int32.min)...Int64(Int32.max) ~= value)
    case 6: !(-0x8000_0000_0000...0x7FFF_FFFF_FFFF ~= value)
    default: true
    }
  }
}
