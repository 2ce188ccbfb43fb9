import RasdModel

/// Finds where some bytes stand in a source, a window at a time.
struct PatternFinder {
  private let source: ByteSource
  private let pattern: [UInt8]
  private static let window = 1 << 20

  init(_ pattern: [UInt8], in source: ByteSource) {
    (self.pattern, self.source) = (pattern, source)
  }

  /// Calls `body` with each place, ascending.
  func forEach(_ body: (Int) throws(RasdError) -> Void) throws(RasdError) {
    var window: [UInt8] = []
    var start = 0
    while start + pattern.count <= source.size {
      try source.read(at: start, count: min(Self.window, source.size - start), into: &window)
      for at in places(in: window.span) { try body(start + at) }
      // What the window's end cuts in two is looked at again.
      start += window.count - pattern.count + 1
    }
  }

  private func places(in bytes: Span<UInt8>) -> [Int] {
    var places: [Int] = []
    let first = pattern[0]
    let last = bytes.count - pattern.count
    guard last >= 0 else { return [] }
    for at in 0...last where bytes[at] == first {
      if bytes.extracting(at..<(at + pattern.count)).equals(pattern.span) { places.append(at) }
    }
    return places
  }
}
