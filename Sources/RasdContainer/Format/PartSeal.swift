import RasdCrypto
import RasdModel

/// Seals and opens the entries of one export under its suite (the format, §Parts).
///
/// One value a worker: it holds a cipher's state and the memory of a context.
struct PartSeal: ~Copyable {
  private let suite: Suite
  private var chunked: ChunkedSeal
  private var cipher: AES256GCM
  private let prefix: [UInt8]
  private let manifestDigest: [UInt8]

  /// Without a key, nothing opens but what is not sealed.
  init(_ manifest: Manifest, _ key: ContentKey?) {
    self.init(
      manifest.suite,
      key,
      exportID: manifest.exportID,
      manifestDigest: manifest.digest
    )
  }

  init(
    _ suite: Suite,
    _ key: ContentKey?,
    exportID: ExportID,
    manifestDigest: SHA256Digest
  ) {
    let secret =
      key?.secret
      ?? Secret(capacity: ContentKey.size) {
        $0.append(repeating: 0, count: ContentKey.size)
      }
    self.suite = suite
    chunked = ChunkedSeal(key: secret)
    cipher = AES256GCM(key: secret.bytes)
    prefix = Array("rasdx/1\0".utf8) + exportID.bytes
    self.manifestDigest = manifestDigest.bytes
  }

  /// A seal that does not open, and where in the sealed bytes it shows.
  struct Broken: Error {
    let offset: Int
  }

  /// Makes `opened` the plaintext of an entry.
  mutating func open(
    _ sealed: Span<UInt8>,
    named name: EntryName,
    into opened: inout [UInt8]
  ) throws(Broken) {
    opened.removeAll(keepingCapacity: true)
    let context = context(of: name)
    switch suite {
    case .chunked:
      guard let size = ChunkedSeal.openedSize(of: sealed.count) else { throw Broken(offset: 0) }
      try opened.append(addingCapacity: size) { output throws(Broken) in
        do throws(ChunkedSeal.Damage) {
          try chunked.open(sealed, context: context.span, into: &output)
        } catch {
          throw Broken(offset: error.offset)
        }
      }
    case .envelope:
      guard sealed.count >= Envelope.overhead() else { throw Broken(offset: 0) }
      try opened.append(addingCapacity: sealed.count - Envelope.overhead()) {
        output throws(Broken) in
        let isOpen = Envelope.open(sealed, using: &cipher, aad: context.span, into: &output)
        guard isOpen else { throw Broken(offset: 0) }
      }
    case .none:
      opened.append(bytes: sealed)
    }
  }

  /// Opens what opens of a damaged entry; nil where nothing does.
  mutating func rescue(_ sealed: Span<UInt8>, named name: EntryName) -> ChunkedSeal.Rescued? {
    let context = context(of: name)
    return suite == .chunked ? chunked.rescue(sealed, context: context.span) : nil
  }

  /// Appends the sealed form of a plaintext.
  mutating func seal(_ plain: Span<UInt8>, named name: EntryName, to sealed: inout [UInt8]) {
    let context = context(of: name)
    switch suite {
    case .chunked:
      sealed.append(addingCapacity: ChunkedSeal.sealedSize(of: plain.count)) { output in
        chunked.seal(plain, context: context.span, into: &output)
      }
    case .envelope:
      sealed.append(addingCapacity: plain.count + Envelope.overhead()) { output in
        Envelope.seal(plain, using: &cipher, aad: context.span, into: &output)
      }
    case .none:
      sealed.append(bytes: plain)
    }
  }

  /// *ctx* of an entry: no part can stand for another, nor in another export.
  private func context(of name: EntryName) -> [UInt8] {
    let bytes = name.bytes
    var context = prefix
    context += [
      UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count),
    ]
    context += bytes
    if name.isBoundToManifest { context += manifestDigest }
    return context
  }
}
