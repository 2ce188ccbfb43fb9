internal import RasdCrypto
internal import RasdModel

/// The format and the keys of an encrypted file: everything a decoder needs.
struct PageCodec: Sendable {
  let format: CipherFormat
  /// In the order in which they are tried; one, unless a `rekey` was interrupted.
  let keys: [PageKey]
  /// Upper bound of a page number in this file, by which a failed page's best key is told.
  let pageCount: UInt32
}

/// Turns stored pages into what the database's b-trees see, with a verdict each.
///
/// Holds one cipher and one HMAC context a key.
// Sendable because a decoder is handed from one task to another, never used by two at once.
final class PageDecoder: @unchecked Sendable {
  private let layout: PageLayout
  private let codec: PageCodec?
  private var contexts: [KeyContext] = []
  /// The key that proved the last page, tried first on the next.
  private var last = 0

  private final class KeyContext {
    var cipher: AES256CBC
    var mac: HMAC?

    init(_ key: PageKey, hmac: HashFunction?) {
      cipher = AES256CBC(.decrypt, key: key.encryption.bytes)
      if let hmac, let secret = key.authentication {
        mac = HMAC(hmac, key: secret.bytes)
      } else {
        mac = nil
      }
    }

    func verifies(_ page: Span<UInt8>, _ number: UInt32, _ format: CipherFormat) -> Bool {
      let tag = format.usable + AES256CBC.blockSize
      guard let hmac = format.hmac, mac != nil else { return false }
      mac?.update(page.extracting(format.bodyStart(number)..<tag))
      let bytes: InlineArray<4, UInt8> = Self.bytes(number, format.pageNumberOrder)
      mac?.update(bytes.span)
      return mac?.finish(verifying: page.extracting(tag..<(tag + hmac.size))) ?? false
    }

    func decrypt(_ page: Span<UInt8>, _ number: UInt32, _ format: CipherFormat) -> [UInt8] {
      let body = format.bodyStart(number)
      let end = format.usable
      let magic = DatabaseHeader.magic
      return [UInt8](capacity: format.pageSize) { out in
        if number == 1, format.plaintextHeader == 0 {
          out.append(copying: magic.span)
        } else {
          out.append(copying: page.extracting(0..<body))
        }
        cipher.apply(
          page.extracting(body..<end),
          iv: page.extracting(end..<(end + AES256CBC.blockSize)),
          into: &out
        )
        out.append(copying: page.extracting(end..<format.pageSize))
      }
    }

    private static func bytes(_ number: UInt32, _ order: CipherFormat.ByteOrder)
      -> InlineArray<4, UInt8>
    {
      let n = order == .little ? number : number.byteSwapped
      return [
        UInt8(truncatingIfNeeded: n), UInt8(truncatingIfNeeded: n >> 8),
        UInt8(truncatingIfNeeded: n >> 16), UInt8(truncatingIfNeeded: n >> 24),
      ]
    }
  }

  init(_ layout: PageLayout, _ codec: PageCodec?) {
    self.layout = layout
    self.codec = codec
    if let codec { contexts = codec.keys.map { KeyContext($0, hmac: codec.format.hmac) } }
  }

  /// A page's bytes, what they prove, and the parts that are not what was written.
  struct Decoded {
    var bytes: [UInt8]
    var verdict: PageVerdict
    var unreadable: [Range<Int>] = []
    /// Which of the given keys decrypted it.
    var key: Int?
  }

  /// Whether one of the keys proves a whole stored page.
  func proves(_ stored: Span<UInt8>, number: UInt32) -> Bool {
    guard let format = codec?.format, stored.count == format.pageSize else { return false }
    return contexts.contains { $0.verifies(stored, number, format) }
  }

  /// Decodes one stored page, `pageSize` long, of which the parts `missing` could not be read and
  /// are zero.
  func decode(_ stored: Span<UInt8>, number: UInt32, missing: [Range<Int>] = []) -> Decoded {
    guard let codec else {
      return Decoded(bytes: [UInt8](copying: stored), verdict: .unproved, unreadable: missing)
    }
    let format = codec.format
    let proves = format.hmac != nil && contexts.contains { $0.mac != nil }
    if proves, missing.isEmpty {
      for turn in contexts.indices {
        let key = (last + turn) % contexts.count
        guard contexts[key].verifies(stored, number, format) else { continue }
        last = key
        let bytes = contexts[key].decrypt(stored, number, format)
        return Decoded(bytes: bytes, verdict: .intact, key: codec.keys[key].index)
      }
    }
    let failed: PageVerdict = proves && number != layout.lockBytePage ? .hmacFailed : .unproved
    if stored.isAllZero(0..<stored.count) {
      let zero = [UInt8](repeating: 0, count: stored.count)
      return Decoded(bytes: zero, verdict: failed, unreadable: missing)
    }
    return decodeUnproved(stored, number, codec, missing, failed)
  }

  /// Decrypts a page that nothing proves with the key that makes most sense of it.
  private func decodeUnproved(
    _ stored: Span<UInt8>,
    _ number: UInt32,
    _ codec: PageCodec,
    _ missing: [Range<Int>],
    _ verdict: PageVerdict
  ) -> Decoded {
    let format = codec.format
    let lost = CipherDamage.unreadable(stored, number, format, missing)
    var best = Decoded(bytes: [], verdict: verdict, unreadable: lost)
    var bestScore = -1
    for key in contexts.indices {
      var bytes = contexts[key].decrypt(stored, number, format)
      for range in lost { for i in range { bytes[i] = 0 } }
      let score =
        contexts.count == 1
        ? 0
        : PageStructure.score(
          bytes.span,
          number: number,
          usable: format.usable,
          pageCount: codec.pageCount
        )
      guard score > bestScore else { continue }
      bestScore = score
      best.bytes = bytes
      best.key = codec.keys[key].index
    }
    return best
  }
}
