import RasdModel

/// Finds local header signatures in a stretch of a file, a window at a time.
struct SignatureFinder {
  private let source: ByteSource
  private let range: Range<Int>
  private let pattern: [UInt8]
  private var bytes: [UInt8] = []
  private var start = 0

  private static let window = 1 << 20
  static let localHeader: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  init(_ source: ByteSource, within range: Range<Int>, pattern: [UInt8] = localHeader) {
    (self.source, self.range, self.pattern) = (source, range, pattern)
  }

  /// The first place at or after `offset` where the pattern stands whole, nil where it doesn't.
  mutating func next(from offset: Int) throws(RasdError) -> Int? {
    var at = max(offset, range.lowerBound)
    while at + pattern.count <= range.upperBound {
      if at < start || at + pattern.count > start + bytes.count {
        start = at
        try source.read(
          at: at,
          count: min(Self.window, range.upperBound - at),
          into: &bytes
        )
      }
      if let found = Self.find(pattern, in: bytes.span, from: at - start) { return start + found }
      // What the window's end cuts in two is looked at again.
      at = start + bytes.count - pattern.count + 1
    }
    return nil
  }

  private static func find(_ pattern: [UInt8], in bytes: Span<UInt8>, from start: Int) -> Int? {
    guard let first = pattern.first else { return nil }
    var at = start
    while let found = Lines.next(first, in: bytes, from: at) {
      guard found + pattern.count <= bytes.count else { return nil }
      if bytes.extracting(found..<(found + pattern.count)).equals(pattern.span) { return found }
      at = found + 1
    }
    return nil
  }
}
