/// A place in bytes from which binary formats are read; a failed read throws the offset
/// and does not move.
package struct ByteCursor: ~Escapable {
  package let bytes: Span<UInt8>
  /// Where the next read begins, from the start of `bytes`.
  package private(set) var offset: Int

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    offset = 0
  }

  /// A read that did not fit: where, how much it wanted, how much there was.
  package struct OutOfBytes: Error, Hashable, Sendable {
    package let offset: Int
    package let wanted: Int
    package let available: Int

    package init(offset: Int, wanted: Int, available: Int) {
      self.offset = offset
      self.wanted = wanted
      self.available = available
    }
  }

  @inlinable package var remaining: Int { bytes.count - offset }
  @inlinable package var isAtEnd: Bool { offset == bytes.count }

  /// Moves to an absolute offset; the end itself is a place.
  @_lifetime(self: copy self)
  package mutating func seek(to target: Int) throws(OutOfBytes) {
    guard target >= 0, target <= bytes.count else {
      throw OutOfBytes(offset: offset, wanted: target, available: bytes.count)
    }
    offset = target
  }

  @_lifetime(self: copy self)
  package mutating func skip(_ count: Int) throws(OutOfBytes) {
    try need(count)
    offset += count
  }

  /// The next `count` bytes.
  @_lifetime(self: copy self)
  @_lifetime(copy self)
  package mutating func take(_ count: Int) throws(OutOfBytes) -> Span<UInt8> {
    try need(count)
    let taken = bytes.extracting(offset..<(offset + count))
    offset += count
    return taken
  }

  @_lifetime(self: copy self)
  package mutating func u8() throws(OutOfBytes) -> UInt8 {
    try need(1)
    defer { offset += 1 }
    return bytes[offset]
  }

  @_lifetime(self: copy self)
  package mutating func u16be() throws(OutOfBytes) -> UInt16 {
    UInt16(truncatingIfNeeded: try big(2))
  }

  @_lifetime(self: copy self)
  package mutating func u32be() throws(OutOfBytes) -> UInt32 {
    UInt32(truncatingIfNeeded: try big(4))
  }

  @_lifetime(self: copy self)
  package mutating func u64be() throws(OutOfBytes) -> UInt64 { try big(8) }

  /// The big-endian number in the next `count` bytes, at most eight.
  @_lifetime(self: copy self)
  package mutating func big(_ count: Int) throws(OutOfBytes) -> UInt64 {
    try need(count)
    var value: UInt64 = 0
    for i in offset..<(offset + count) { value = value << 8 | UInt64(bytes[i]) }
    offset += count
    return value
  }

  /// SQLite's variable-length integer, one to nine bytes (sqlite3GetVarint).
  @_lifetime(self: copy self)
  package mutating func varint() throws(OutOfBytes) -> UInt64 {
    var value: UInt64 = 0
    var at = offset
    for i in 0..<9 {
      guard at < bytes.count else {
        throw OutOfBytes(offset: offset, wanted: i + 1, available: remaining)
      }
      let byte = bytes[at]
      at += 1
      if i == 8 {
        value = value << 8 | UInt64(byte)
        break
      }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    offset = at
    return value
  }

  private func need(_ count: Int) throws(OutOfBytes) {
    guard count >= 0, count <= remaining else {
      throw OutOfBytes(offset: offset, wanted: count, available: remaining)
    }
  }
}
