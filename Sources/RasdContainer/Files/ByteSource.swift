package import RasdModel

/// Evidence that is read by offset and never written: a file, or a stream spooled out of a pipe.
///
/// Reads from several threads at once are fine. A source that ends before its size at opening
/// gives `truncated`; a device that fails gives `io-error`.
package final class ByteSource: Sendable {
  package let size: Int
  private let storage: Storage
  private let failures: Failures

  /// What becomes of what a device does not give.
  package enum Failures: Sendable {
    case thrown
    /// Zeros stand for it, a kernel's page at a time: damage like any other.
    case zeros
  }

  private enum Storage: Sendable {
    case file(FileDescriptor)
    case spool(SealedSpool)
  }

  /// Opens a regular file; a FIFO, a socket or a directory is refused and never waited for.
  package init(path: String, failures: Failures = .thrown) throws(RasdError) {
    self.failures = failures
    let descriptor = try FileDescriptor(reading: path)
    size = try descriptor.regularFileSize(path)
    storage = .file(descriptor)
  }

  init(_ descriptor: FileDescriptor, size: Int) {
    self.size = size
    failures = .thrown
    storage = .file(descriptor)
  }

  init(spool: SealedSpool) {
    size = spool.size
    failures = .thrown
    storage = .spool(spool)
  }

  /// The `count` bytes at `offset`.
  package func read(at offset: Int, count: Int) throws(RasdError) -> [UInt8] {
    var bytes: [UInt8] = []
    try read(at: offset, count: count, into: &bytes)
    return bytes
  }

  /// Makes `bytes` the `count` bytes at `offset`, keeping its storage where it is large enough.
  package func read(at offset: Int, count: Int, into bytes: inout [UInt8]) throws(RasdError) {
    bytes.removeAll(keepingCapacity: true)
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw RasdError(.corrupt, .truncated, ["offset": .number(Int64(clamping: size))])
    }
    switch storage {
    case .file(let descriptor):
      do throws(RasdError) {
        try descriptor.append(at: offset, count: count, to: &bytes)
      } catch {
        guard failures == .zeros, error.reason == .ioError else { throw error }
        bytes.removeAll(keepingCapacity: true)
        Self.appendBySector(descriptor, at: offset, count: count, to: &bytes)
      }
    case .spool(let spool): try spool.append(at: offset, count: count, to: &bytes)
    }
  }

  private static func appendBySector(
    _ descriptor: FileDescriptor,
    at offset: Int,
    count: Int,
    to bytes: inout [UInt8]
  ) {
    let sector = 4_096
    var at = offset
    while at < offset + count {
      let next = min(offset + count, (at / sector + 1) * sector)
      let before = bytes.count
      if (try? descriptor.append(at: at, count: next - at, to: &bytes)) == nil {
        bytes.removeLast(bytes.count - before)
        bytes.append(contentsOf: repeatElement(0, count: next - at))
      }
      at = next
    }
  }

  /// The plain file behind it, nil for a spool.
  var file: FileDescriptor? {
    guard case .file(let descriptor) = storage else { return nil }
    return descriptor
  }
}
