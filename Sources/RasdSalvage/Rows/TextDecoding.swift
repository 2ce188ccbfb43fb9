/// TEXT of any of SQLite's three encodings, put into UTF-8.
enum TextDecoding {
  /// Appends the UTF-16 text `source[range]` to the same array as UTF-8; `nil`, and nothing
  /// appended, where it holds a lone surrogate or an odd byte.
  static func appendUTF16(
    _ range: Range<Int>,
    littleEndian: Bool,
    in arena: inout [UInt8]
  ) -> ByteRange? {
    guard range.count.isMultiple(of: 2) else { return nil }
    let start = arena.count
    var at = range.lowerBound
    func unit(_ at: Int) -> UInt32 {
      littleEndian
        ? UInt32(arena[at]) | UInt32(arena[at + 1]) << 8
        : UInt32(arena[at]) << 8 | UInt32(arena[at + 1])
    }
    while at < range.upperBound {
      var scalar = unit(at)
      at += 2
      if scalar & 0xF800 == 0xD800 {
        guard scalar < 0xDC00, at < range.upperBound, unit(at) & 0xFC00 == 0xDC00 else {
          arena.removeLast(arena.count - start)
          return nil
        }
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + unit(at) & 0x3FF
        at += 2
      }
      append(scalar, to: &arena)
    }
    return ByteRange(start: start, count: arena.count - start)
  }

  @inline(__always)
  private static func append(_ scalar: UInt32, to arena: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift & 0x3F | 0x80) }
    if scalar < 0x80 {
      arena.append(UInt8(truncatingIfNeeded: scalar))
    } else if scalar < 0x800 {
      arena.append(UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0))
      arena.append(tail(0))
    } else if scalar < 0x10000 {
      arena.append(UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0))
      arena.append(tail(6))
      arena.append(tail(0))
    } else {
      arena.append(UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0))
      arena.append(tail(12))
      arena.append(tail(6))
      arena.append(tail(0))
    }
  }

  /// Whether bytes as they are stored decode as TEXT.
  static func isText(_ bytes: Span<UInt8>, _ encoding: DatabaseEncoding) -> Bool {
    if encoding == .utf8 { return JSONBText.isUTF8(bytes) }
    guard bytes.count.isMultiple(of: 2) else { return false }
    var high = false
    for i in stride(from: 0, to: bytes.count, by: 2) {
      let byte = bytes[encoding == .utf16LittleEndian ? i + 1 : i]
      let isLow = byte & 0xFC == 0xDC
      if high != isLow { return false }
      high = byte & 0xFC == 0xD8
    }
    return !high
  }
}
