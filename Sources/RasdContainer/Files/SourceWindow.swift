import RasdModel

/// A window that moves over a source, for records that are read one after the other.
struct SourceWindow {
  private let source: ByteSource
  private let size: Int
  private var start = 0
  private var bytes: [UInt8] = []

  init(_ source: ByteSource, size: Int) {
    self.source = source
    self.size = size
  }

  /// Makes `count` bytes at `offset` available; past the end of the source is `truncated`.
  mutating func load(at offset: Int, count: Int) throws(RasdError) {
    if offset >= start, offset - start <= bytes.count, count <= bytes.count - (offset - start) {
      return
    }
    let wanted = max(count, min(size, source.size - offset))
    try source.read(at: offset, count: wanted, into: &bytes)
    start = offset
  }

  /// Bytes that have been loaded.
  @_lifetime(borrow self)
  func view(at offset: Int, count: Int) -> Span<UInt8> {
    bytes.span.extracting((offset - start)..<(offset - start + count))
  }
}
