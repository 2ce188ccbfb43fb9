internal import RasdModel

/// C2SP chunked encryption, Cobblestone-256 with SHA-512 (the format, §Parts): a 24-byte salt, a
/// 32-byte commitment, then chunks of 16 KiB each with a 16-byte tag, the last one shorter.
///
/// One key serves any number of messages; each has its own salt and context. One value per
/// worker: a message in hand needs the whole of it.
package struct ChunkedSeal: ~Copyable {
  package static let chunkSize = 16_384
  package static let saltSize = 24
  package static let commitmentSize = 32
  package static let headerSize = saltSize + commitmentSize

  static let sealedChunkSize = chunkSize + AES256GCM.tagSize
  private static let label = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0".utf8)

  private var mac: HMAC
  private var aead: AES256GCM

  package init(key: Secret) {
    precondition(key.count == AES256GCM.keySize)
    mac = HMAC(.sha512, key: key.bytes)
    // A key of its own comes with each message.
    aead = AES256GCM(key: [UInt8](repeating: 0, count: AES256GCM.keySize).span)
  }

  /// Bytes that `plaintext` bytes become.
  package static func sealedSize(of plaintext: Int) -> Int {
    headerSize + plaintext + (plaintext / chunkSize + 1) * AES256GCM.tagSize
  }

  /// Bytes that come out of `sealed` bytes; nil for a length that no message has.
  package static func openedSize(of sealed: Int) -> Int? {
    let body = sealed - headerSize
    guard body >= 0, body % sealedChunkSize >= AES256GCM.tagSize else { return nil }
    return body - (body / sealedChunkSize + 1) * AES256GCM.tagSize
  }

  /// Appends the sealed message under a fresh salt.
  package mutating func seal(
    _ plaintext: Span<UInt8>,
    context: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) {
    let salt = SecureRandom.bytes(Self.saltSize)
    seal(plaintext, context: context, salt: salt.span, into: &output)
  }

  mutating func seal(
    _ plaintext: Span<UInt8>,
    context: Span<UInt8>,
    salt: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) {
    let keys = prepare(salt: salt, context: context)
    output.append(copying: salt)
    output.append(copying: keys.commitment)
    var start = 0
    for index in 0...plaintext.count / Self.chunkSize {
      let end = min(start + Self.chunkSize, plaintext.count)
      let nonce = keys.nonce(index)
      aead.seal(plaintext.extracting(start..<end), nonce: nonce.span, aad: Span(), into: &output)
      start = end
    }
  }

  /// The sealed message under a fresh salt.
  package mutating func seal(_ plaintext: Span<UInt8>, context: Span<UInt8>) -> [UInt8] {
    [UInt8](capacity: Self.sealedSize(of: plaintext.count)) {
      seal(plaintext, context: context, into: &$0)
    }
  }

  /// Appends the plaintext of a whole message; nothing where any of it is damaged.
  package mutating func open(
    _ sealed: Span<UInt8>,
    context: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) throws(Damage) {
    guard Self.openedSize(of: sealed.count) != nil else { throw .length }
    let keys = prepare(salt: sealed.extracting(first: Self.saltSize), context: context)
    guard
      Libcrypto.equal(
        keys.commitment,
        sealed.extracting(Self.saltSize..<Self.headerSize)
      )
    else { throw .commitment }
    let before = output.count
    var start = Self.headerSize
    var index = 0
    while start < sealed.count {
      let end = min(start + Self.sealedChunkSize, sealed.count)
      guard openChunk(index, sealed.extracting(start..<end), keys, into: &output) else {
        output.removeLast(output.count - before)
        throw .chunk(index)
      }
      start = end
      index += 1
    }
  }

  /// The plaintext of a whole message.
  package mutating func open(
    _ sealed: Span<UInt8>,
    context: Span<UInt8>
  ) throws(Damage) -> [UInt8] {
    guard let size = Self.openedSize(of: sealed.count) else { throw .length }
    return try [UInt8](capacity: size) { output throws(Damage) in
      try open(sealed, context: context, into: &output)
    }
  }

  /// Why a message does not open.
  package enum Damage: Error, Hashable, Sendable {
    /// No message is that long: it was cut, or more was added.
    case length
    /// Another key, another context, or damage to the first 56 bytes.
    case commitment
    /// The first chunk that does not open, counted from 0.
    case chunk(Int)

    /// The offset in the sealed bytes where the damage shows.
    package var offset: Int {
      switch self {
      case .length, .commitment: 0
      case .chunk(let index): headerSize + index * sealedChunkSize
      }
    }
  }

  // MARK: - Keys of one message

  /// What a salt and a context make of the key: key, first nonce and commitment.
  struct Keys {
    private let material: Secret

    init(_ material: Secret) { self.material = material }

    static let size = AES256GCM.keySize + AES256GCM.nonceSize + commitmentSize

    var key: Span<UInt8> {
      @_lifetime(borrow self) get { material.bytes.extracting(..<AES256GCM.keySize) }
    }

    var commitment: Span<UInt8> {
      @_lifetime(borrow self) get { material.bytes.extracting(last: commitmentSize) }
    }

    /// The first nonce with the chunk's number added without carry into its last eight bytes.
    func nonce(_ index: Int) -> InlineArray<12, UInt8> {
      InlineArray { i in
        let byte = material.bytes[AES256GCM.keySize + i]
        return i < 4 ? byte : byte ^ UInt8(truncatingIfNeeded: UInt64(index) >> ((11 - i) * 8))
      }
    }
  }

  mutating func prepare(salt: Span<UInt8>, context: Span<UInt8>) -> Keys {
    var info = Self.label
    info.append(bytes: salt)
    info.append(bytes: context)
    let material = Secret(capacity: HKDF.wholeBlocks(Keys.size, of: .sha512)) {
      HKDF.expand(&mac, info: info.span, count: Keys.size, into: &$0)
    }
    let keys = Keys(material)
    aead.rekey(keys.key)
    return keys
  }

  mutating func openChunk(
    _ index: Int,
    _ chunk: Span<UInt8>,
    _ keys: Keys,
    into output: inout OutputSpan<UInt8>
  ) -> Bool {
    let nonce = keys.nonce(index)
    return aead.open(chunk, nonce: nonce.span, aad: Span(), into: &output)
  }
}
