internal import RasdModel

/// PKCS #8 and SPKI (RFC 5958, 5280) of the two kinds of key: read, and written as
/// `openssl genpkey` and `openssl pkey -pubout` write them.
enum KeyEncoding {
  private static let idX25519: [UInt8] = [0x2B, 0x65, 0x6E]
  private static let idECPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  private static let idPrime256v1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

  /// Why bytes are not one of our keys.
  enum Fault: Error {
    case malformed
    /// A key, but of another algorithm or curve.
    case otherAlgorithm
  }

  static func readPublicKey(_ bytes: Span<UInt8>) throws(Fault) -> (KEM, [UInt8]) {
    var outer = DER(bytes)
    guard var info = outer.enter(DER.Tag.sequence), outer.isAtEnd,
      var algorithm = info.enter(DER.Tag.sequence)
    else { throw .malformed }
    let kem = try readAlgorithm(&algorithm)
    guard let raw = info.readBitString(), info.isAtEnd else { throw .malformed }
    guard raw.count == kem.publicKeySize else { throw .malformed }
    return (kem, [UInt8](copying: raw))
  }

  /// The kind of key and its 32 bytes, and the public key where the file has it.
  static func readPrivateKey(
    _ bytes: Span<UInt8>
  ) throws(Fault) -> (kem: KEM, secret: Secret, publicKey: [UInt8]?) {
    var outer = DER(bytes)
    guard var info = outer.enter(DER.Tag.sequence), outer.isAtEnd,
      let version = info.readSmallInteger(), version <= 1,
      var algorithm = info.enter(DER.Tag.sequence)
    else { throw .malformed }
    let kem = try readAlgorithm(&algorithm)
    guard var key = info.enter(DER.Tag.octetString) else { throw .malformed }
    _ = info.read(DER.Tag.context(0))  // Attributes, which say nothing to us.
    var publicKey: [UInt8]?
    if let raw = info.readBitString(DER.Tag.primitiveContext(1)) {
      publicKey = [UInt8](copying: raw)
    }
    guard info.isAtEnd else { throw .malformed }

    if kem == .x25519 {
      guard let raw = key.read(DER.Tag.octetString), raw.count == KEM.privateKeySize, key.isAtEnd
      else { throw .malformed }
      return (kem, Secret(copying: raw), publicKey)
    }
    // ECPrivateKey (RFC 5915).
    guard var ec = key.enter(DER.Tag.sequence), key.isAtEnd,
      ec.readSmallInteger() == 1,
      let raw = ec.read(DER.Tag.octetString), raw.count == KEM.privateKeySize
    else { throw .malformed }
    if var parameters = ec.enter(DER.Tag.context(0)) {
      guard parameters.readIdentifier(idPrime256v1) else { throw .malformed }
    }
    if var wrapped = ec.enter(DER.Tag.context(1)) {
      guard let point = wrapped.readBitString(), wrapped.isAtEnd else { throw .malformed }
      publicKey = [UInt8](copying: point)
    }
    guard ec.isAtEnd else { throw .malformed }
    return (kem, Secret(copying: raw), publicKey)
  }

  private static func readAlgorithm(_ algorithm: inout DER) throws(Fault) -> KEM {
    guard let identifier = algorithm.read(DER.Tag.objectIdentifier) else { throw .malformed }
    if Libcrypto.equal(identifier, idX25519.span) {
      guard algorithm.isAtEnd else { throw .malformed }
      return .x25519
    }
    guard Libcrypto.equal(identifier, idECPublicKey.span),
      algorithm.readIdentifier(idPrime256v1),
      algorithm.isAtEnd
    else { throw .otherAlgorithm }
    return .p256
  }

  // MARK: - Writing

  static func writePublicKey(_ kem: KEM, _ publicKey: [UInt8]) -> [UInt8] {
    element(
      DER.Tag.sequence,
      algorithm(kem) + element(DER.Tag.bitString, [0] + publicKey)
    )
  }

  static func writePrivateKey(_ kem: KEM, _ secret: Secret, publicKey: [UInt8]) -> Secret {
    // Everything but the 32 bytes is public: it is built around a gap.
    let tail: [UInt8] =
      kem == .x25519
      ? [] : element(DER.Tag.context(1), element(DER.Tag.bitString, [0] + publicKey))
    var head = [DER.Tag.octetString, UInt8(KEM.privateKeySize)]
    if kem == .p256 {
      head = [DER.Tag.integer, 1, 1] + head
      let size = head.count + KEM.privateKeySize + tail.count
      head = [DER.Tag.sequence] + length(size) + head
    }
    let keySize = head.count + KEM.privateKeySize + tail.count
    head =
      [DER.Tag.integer, 1, 0] + algorithm(kem) + [DER.Tag.octetString] + length(keySize) + head
    head = [DER.Tag.sequence] + length(head.count + KEM.privateKeySize + tail.count) + head
    return Secret(capacity: head.count + KEM.privateKeySize + tail.count) {
      $0.append(copying: head.span)
      $0.append(copying: secret.bytes)
      $0.append(copying: tail.span)
    }
  }

  private static func algorithm(_ kem: KEM) -> [UInt8] {
    let identifiers =
      kem == .x25519
      ? element(DER.Tag.objectIdentifier, idX25519)
      : element(DER.Tag.objectIdentifier, idECPublicKey)
        + element(DER.Tag.objectIdentifier, idPrime256v1)
    return element(DER.Tag.sequence, identifiers)
  }

  private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [tag] + length(contents.count) + contents
  }

  private static func length(_ count: Int) -> [UInt8] {
    count < 0x80 ? [UInt8(count)] : [0x81, UInt8(count)]
  }
}
