/// One wrapping of a content key (the format, §Keys); any one slot opens the whole.
package enum KeySlot: Hashable, Sendable {
  case passphrase(PassphraseSlot)
  case key(RawKeySlot)
  case hpke(HPKESlot)
  /// Of a later version, and skipped; its type.
  case unknown(String)

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case passphrase = "pbkdf2-sha256"
    case key
    case hpke
  }

  package var kind: Kind? {
    switch self {
    case .passphrase: .passphrase
    case .key: .key
    case .hpke: .hpke
    case .unknown: nil
    }
  }

  /// 32 bytes and the Rasd envelope around them, before its kid.
  static let wrappedSize = ContentKey.size + Envelope.overhead()

  static func aad(_ id: ExportID) -> [UInt8] { Array("rasdx-slot/\(id.text)".utf8) }

  static func wrap(_ key: ContentKey, under kek: Secret, kid: String, of id: ExportID) -> [UInt8] {
    var aead = AES256GCM(key: kek.bytes)
    let kid = Array(kid.utf8)
    let aad = aad(id)
    return [UInt8](capacity: wrappedSize + kid.count) {
      Envelope.seal(key.secret.bytes, using: &aead, kid: kid.span, aad: aad.span, into: &$0)
    }
  }

  static func unwrap(
    _ wrapped: [UInt8],
    under kek: Secret,
    kid: String,
    of id: ExportID
  ) -> ContentKey? {
    let kid = Array(kid.utf8)
    guard wrapped.count == wrappedSize + kid.count else { return nil }
    var aead = AES256GCM(key: kek.bytes)
    let aad = aad(id)
    var opened = false
    let secret = Secret(capacity: ContentKey.size) {
      opened = Envelope.open(
        wrapped.span,
        using: &aead,
        kid: kid.span,
        aad: aad.span,
        into: &$0
      )
    }
    return opened ? ContentKey(secret) : nil
  }
}

/// `pbkdf2-sha256`: for whoever knows a passphrase.
package struct PassphraseSlot: Hashable, Sendable {
  /// What we write (OWASP's figure for HMAC-SHA-256).
  package static let iterationsWritten = 600_000
  /// Fewer would make guessing cheap; more would let a file of 300 bytes keep a core for seconds.
  package static let iterationBounds = 100_000...10_000_000
  /// In all over the slots tried, so that 32 slots cost no more than one.
  package static let iterationsInAll = 10_000_000
  package static let saltSize = 16

  package let iterations: Int64
  package let salt: [UInt8]
  package let wrapped: [UInt8]

  package init(
    _ key: ContentKey,
    of id: ExportID,
    for passphrase: Passphrase,
    iterations: Int = iterationsWritten
  ) {
    precondition(Self.iterationBounds.contains(iterations))
    let salt = SecureRandom.bytes(Self.saltSize)
    let kek = Self.kek(passphrase, salt: salt, iterations: iterations)
    self.init(
      iterations: Int64(iterations),
      salt: salt,
      wrapped: KeySlot.wrap(key, under: kek, kid: "", of: id)
    )
  }

  init(iterations: Int64, salt: [UInt8], wrapped: [UInt8]) {
    self.iterations = iterations
    self.salt = salt
    self.wrapped = wrapped
  }

  /// The iterations, where they are within bounds.
  var allowedIterations: Int? {
    Int(exactly: iterations).flatMap { Self.iterationBounds.contains($0) ? $0 : nil }
  }

  /// Nil where the passphrase is another one, or the iterations are out of bounds.
  package func open(_ passphrase: Passphrase, of id: ExportID) -> ContentKey? {
    guard let iterations = allowedIterations else { return nil }
    let kek = Self.kek(passphrase, salt: salt, iterations: iterations)
    return KeySlot.unwrap(wrapped, under: kek, kid: "", of: id)
  }

  private static func kek(_ passphrase: Passphrase, salt: [UInt8], iterations: Int) -> Secret {
    PBKDF2.derive(
      .sha256,
      password: passphrase.normalized.bytes,
      salt: salt.span,
      iterations: iterations,
      count: AES256GCM.keySize
    )
  }
}

/// `key`: for whoever holds a symmetric key.
package struct RawKeySlot: Hashable, Sendable {
  /// In bytes.
  package static let kidSizes = 1...64

  package let kid: String
  package let wrapped: [UInt8]

  package init(_ key: ContentKey, of id: ExportID, for rawKey: RawKey, kid: String? = nil) {
    let kid = kid ?? rawKey.fingerprint
    precondition(Self.kidSizes.contains(kid.utf8.count))
    self.init(kid: kid, wrapped: KeySlot.wrap(key, under: rawKey.secret, kid: kid, of: id))
  }

  init(kid: String, wrapped: [UInt8]) {
    self.kid = kid
    self.wrapped = wrapped
  }

  package func open(_ rawKey: RawKey, of id: ExportID) -> ContentKey? {
    KeySlot.unwrap(wrapped, under: rawKey.secret, kid: kid, of: id)
  }
}

/// `hpke`: for whoever holds a private key; anyone can make one.
package struct HPKESlot: Hashable, Sendable {
  package static let wrappedSize = ContentKey.size + AES256GCM.tagSize

  package let kem: KEM
  package let kid: String
  package let enc: [UInt8]
  package let wrapped: [UInt8]

  /// Nil where the recipient's public key allows no secret.
  package init?(_ key: ContentKey, of id: ExportID, for recipient: Recipient) {
    let info = Self.info(id)
    guard let sealed = HPKE.seal(key.secret.bytes, to: recipient, info: info.span, aad: Span())
    else { return nil }
    self.init(
      kem: recipient.kem,
      kid: recipient.kid,
      enc: sealed.enc,
      wrapped: sealed.ciphertext
    )
  }

  init(kem: KEM, kid: String, enc: [UInt8], wrapped: [UInt8]) {
    self.kem = kem
    self.kid = kid
    self.enc = enc
    self.wrapped = wrapped
  }

  package func fits(_ identity: Identity) -> Bool {
    identity.recipient.kem == kem && identity.kid == kid
  }

  package func open(_ identity: Identity, of id: ExportID) -> ContentKey? {
    guard fits(identity), wrapped.count == Self.wrappedSize else { return nil }
    let info = Self.info(id)
    return HPKE.open(wrapped.span, enc: enc, with: identity, info: info.span, aad: Span())
      .map(ContentKey.init)
  }

  private static func info(_ id: ExportID) -> [UInt8] {
    Array("rasdx/1 slot".utf8) + [0] + id.bytes
  }
}
