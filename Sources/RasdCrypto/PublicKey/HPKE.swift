internal import RasdModel

/// HPKE base mode with HKDF-SHA256 and AES-256-GCM (RFC 9180), one message per encapsulation.
package enum HPKE {
  static let kdf: UInt16 = 1
  static let aead: UInt16 = 2

  package struct Sealed: Sendable {
    /// The ephemeral public key, raw.
    package let enc: [UInt8]
    /// Ciphertext and tag.
    package let ciphertext: [UInt8]
  }

  /// Seals to a recipient; nil where its public key allows no secret (a point of low order).
  package static func seal(
    _ plaintext: Span<UInt8>,
    to recipient: Recipient,
    info: Span<UInt8>,
    aad: Span<UInt8>
  ) -> Sealed? {
    let ephemeral = KeyExchange.makePrivateKey(recipient.kem)
    return seal(plaintext, to: recipient, ephemeral: ephemeral, info: info, aad: aad)
  }

  static func seal(
    _ plaintext: Span<UInt8>,
    to recipient: Recipient,
    ephemeral: (secret: Secret, publicKey: [UInt8]),
    info: Span<UInt8>,
    aad: Span<UInt8>
  ) -> Sealed? {
    let kem = recipient.kem
    let publicKey = recipient.publicKey
    guard
      let shared = KeyExchange.agree(
        kem,
        secret: ephemeral.secret.bytes,
        publicKey: publicKey.span
      )
    else { return nil }
    let context = schedule(
      kem,
      shared: shared,
      enc: ephemeral.publicKey,
      publicKey: publicKey,
      info: info
    )
    var cipher = AES256GCM(key: context.key.bytes)
    let ciphertext = [UInt8](capacity: plaintext.count + AES256GCM.tagSize) {
      cipher.seal(plaintext, nonce: context.nonce.bytes, aad: aad, into: &$0)
    }
    return Sealed(enc: ephemeral.publicKey, ciphertext: ciphertext)
  }

  /// Opens what was sealed to an identity; nil where it was not, or was changed.
  package static func open(
    _ ciphertext: Span<UInt8>,
    enc: [UInt8],
    with identity: Identity,
    info: Span<UInt8>,
    aad: Span<UInt8>
  ) -> Secret? {
    guard ciphertext.count >= AES256GCM.tagSize,
      let shared = KeyExchange.agree(
        identity.recipient.kem,
        secret: identity.secret.bytes,
        publicKey: enc.span
      )
    else { return nil }
    let context = schedule(
      identity.recipient.kem,
      shared: shared,
      enc: enc,
      publicKey: identity.recipient.publicKey,
      info: info
    )
    var cipher = AES256GCM(key: context.key.bytes)
    var opened = false
    let plaintext = Secret(capacity: ciphertext.count - AES256GCM.tagSize) {
      opened = cipher.open(ciphertext, nonce: context.nonce.bytes, aad: aad, into: &$0)
    }
    return opened ? plaintext : nil
  }

  /// ExtractAndExpand of DHKEM (§4.1), then the key schedule of base mode (§5.1).
  ///
  /// The cipher is a parameter because the RFC prints its examples for AES-128 only.
  static func schedule(
    _ kem: KEM,
    shared: Secret,
    enc: [UInt8],
    publicKey: [UInt8],
    info: Span<UInt8>,
    aead: UInt16 = aead,
    keySize: Int = AES256GCM.keySize
  ) -> (key: Secret, nonce: Secret) {
    let kemSuite = Suite(id: Array("KEM".utf8) + number(kem.rawValue))
    let suite = Suite(
      id: Array("HPKE".utf8) + number(kem.rawValue) + number(kdf) + number(aead)
    )
    let none: [UInt8] = []

    let extracted = kemSuite.extract(salt: none.span, "eae_prk", shared.bytes)
    let kemContext = enc + publicKey
    let secret = kemSuite.expand(extracted, "shared_secret", kemContext.span, count: 32)

    let pskIDHash = suite.extract(salt: none.span, "psk_id_hash", none.span)
    let infoHash = suite.extract(salt: none.span, "info_hash", info)
    let mode: UInt8 = 0
    let context = [mode] + [UInt8](copying: pskIDHash.bytes) + [UInt8](copying: infoHash.bytes)
    let root = suite.extract(salt: secret.bytes, "secret", none.span)
    return (
      key: suite.expand(root, "key", context.span, count: keySize),
      nonce: suite.expand(root, "base_nonce", context.span, count: AES256GCM.nonceSize)
    )
  }

  /// LabeledExtract and LabeledExpand (§4) of one suite.
  private struct Suite {
    let id: [UInt8]
    private var version: [UInt8] { Array("HPKE-v1".utf8) }

    init(id: [UInt8]) { self.id = id }

    func extract(salt: Span<UInt8>, _ label: StaticString, _ input: Span<UInt8>) -> Secret {
      let prefix = version + id + Array("\(label)".utf8)
      let labelled = Secret(capacity: prefix.count + input.count) {
        $0.append(copying: prefix.span)
        $0.append(copying: input)
      }
      return HKDF.extract(.sha256, salt: salt, labelled.bytes)
    }

    func expand(
      _ key: Secret,
      _ label: StaticString,
      _ info: Span<UInt8>,
      count: Int
    ) -> Secret {
      var labelled = number(UInt16(count)) + version + id + Array("\(label)".utf8)
      labelled.append(bytes: info)
      return HKDF.expand(.sha256, key: key.bytes, info: labelled.span, count: count)
    }
  }

  private static func number(_ value: UInt16) -> [UInt8] {
    [UInt8(value >> 8), UInt8(value & 0xFF)]
  }
}
