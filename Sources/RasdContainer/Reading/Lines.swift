import Glibc

/// The lines of a part, each ended by LF (the format, §Parts).
package enum Lines {
  /// Calls `body` with each line, without its LF; what follows the last LF is no line.
  @inlinable
  package static func forEach(in bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var start = 0
    while let end = next(in: bytes, from: start) {
      body(bytes.extracting(start..<end))
      start = end + 1
    }
  }

  /// How many lines there are.
  static func count(in bytes: Span<UInt8>) -> Int {
    var count = 0
    var start = 0
    while let end = next(in: bytes, from: start) {
      count += 1
      start = end + 1
    }
    return count
  }

  /// Where the next LF stands.
  @usableFromInline
  package static func next(in bytes: Span<UInt8>, from start: Int) -> Int? {
    next(UInt8(ascii: "\n"), in: bytes, from: start)
  }

  /// Where a byte stands next.
  static func next(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, start < buffer.count,
        let found = unsafe memchr(base + start, Int32(byte), buffer.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}
