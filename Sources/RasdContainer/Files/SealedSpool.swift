import Glibc
import RasdCrypto
package import RasdModel

/// A stream set down in a file without a name, sealed under a key that this process alone has.
///
/// What was not sealed on its way in is not in the clear on the disk either, and a run that is
/// killed leaves nothing. Blocks of 64 KiB, each AES-256-GCM with its number as the nonce.
final class SealedSpool: Sendable {
  static let blockSize = 64 << 10
  static let sealedBlockSize = blockSize + AES256GCM.tagSize

  let size: Int
  private let file: FileDescriptor
  private let key: Secret

  fileprivate init(_ file: FileDescriptor, _ key: Secret, size: Int) {
    (self.file, self.key, self.size) = (file, key, size)
  }

  /// Appends the `count` bytes at `offset`, which lie within the size.
  func append(at offset: Int, count: Int, to bytes: inout [UInt8]) throws(RasdError) {
    guard count > 0 else { return }
    let key = key
    var cipher = AES256GCM(key: key.bytes)
    var sealed: [UInt8] = []
    var plain: [UInt8] = []
    let end = offset + count
    for block in (offset / Self.blockSize)...((end - 1) / Self.blockSize) {
      let start = block * Self.blockSize
      let length = min(Self.blockSize, size - start)
      sealed.removeAll(keepingCapacity: true)
      try file.append(
        at: block * Self.sealedBlockSize,
        count: length + AES256GCM.tagSize,
        to: &sealed
      )
      let nonce = Self.nonce(block)
      var isOpen = false
      plain.removeAll(keepingCapacity: true)
      plain.append(addingCapacity: length) { output in
        isOpen = cipher.open(sealed.span, nonce: nonce.span, aad: Span(), into: &output)
      }
      guard isOpen else { throw RasdError(.unavailable, .ioError, ["file": "spool"]) }
      let wanted = max(offset - start, 0)..<min(end - start, length)
      bytes.append(bytes: plain.span.extracting(wanted))
    }
  }

  fileprivate static func nonce(_ block: Int) -> [UInt8] {
    [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: block >> (8 * (7 - $0))) }
  }
}

/// Takes a stream in and gives a source of what it was.
package final class SpoolWriter {
  private let file: FileDescriptor
  private let key: Secret
  private var cipher: AES256GCM
  private var waiting: [UInt8] = []
  private var sealed: [UInt8] = []
  private var blocks = 0

  /// Spools into a folder's file system; nothing appears in the folder.
  package init(in folder: String) throws(RasdError) {
    file = try FileDescriptor.nameless(in: folder)
    let key = SecureRandom.secret(AES256GCM.keySize)
    self.key = key
    cipher = AES256GCM(key: key.bytes)
  }

  package func append(_ bytes: Span<UInt8>) throws(RasdError) {
    var taken = 0
    while taken < bytes.count {
      let count = min(bytes.count - taken, SealedSpool.blockSize - waiting.count)
      waiting.append(bytes: bytes.extracting(taken..<(taken + count)))
      taken += count
      if waiting.count == SealedSpool.blockSize { try flush() }
    }
  }

  package func finish() throws(RasdError) -> ByteSource {
    let size = blocks * SealedSpool.blockSize + waiting.count
    if !waiting.isEmpty { try flush() }
    return ByteSource(spool: SealedSpool(file, key, size: size))
  }

  private func flush() throws(RasdError) {
    let nonce = SealedSpool.nonce(blocks)
    let plain = waiting
    sealed.removeAll(keepingCapacity: true)
    sealed.append(addingCapacity: SealedSpool.sealedBlockSize) { output in
      cipher.seal(plain.span, nonce: nonce.span, aad: Span(), into: &output)
    }
    let block = sealed
    try file.write(block.span)
    waiting.removeAll(keepingCapacity: true)
    blocks += 1
  }
}

extension ByteSource {
  /// Spools what a pipe gives, to its end.
  package static func draining(
    _ descriptor: Int32,
    into folder: String
  ) throws(RasdError) -> ByteSource {
    let writer = try SpoolWriter(in: folder)
    var bytes = [UInt8](repeating: 0, count: SealedSpool.blockSize)
    while true {
      let n = unsafe Glibc.read(descriptor, &bytes, bytes.count)
      if n < 0 && errno == EINTR { continue }
      guard n >= 0 else { throw .system(.ioError, ["descriptor": .number(Int64(descriptor))]) }
      guard n > 0 else { return try writer.finish() }
      try writer.append(bytes.span.extracting(..<n))
    }
  }
}
