internal import RasdModel

/// A public key that content keys are sealed to (the format, §Keys, `hpke`).
package struct Recipient: Hashable, Sendable {
  package let kem: KEM
  /// The raw public key: 32 bytes of X25519, or the 65-byte uncompressed point of P-256.
  package let publicKey: [UInt8]

  /// The name slots carry, and what is printed as a fingerprint: base64url of the first eight
  /// bytes of SHA-256 of the raw public key.
  package var kid: String {
    let digest = SHA256.digest(publicKey.span).bytes
    return Base64URL.encode(digest.span.extracting(first: Self.kidSize))
  }

  static let kidSize = 8

  /// SPKI, as `openssl pkey -pubout` writes it.
  package var pem: String {
    let text = PEM.encode(PEM.publicKey, KeyEncoding.writePublicKey(kem, publicKey).span)
    return String(decoding: [UInt8](copying: text.bytes), as: UTF8.self)
  }
}

/// A private key with its public one.
package struct Identity: Sendable {
  let secret: Secret
  package let recipient: Recipient

  /// A new identity from the system's randomness.
  package static func make(_ kem: KEM) -> Identity {
    let (secret, publicKey) = KeyExchange.makePrivateKey(kem)
    return Identity(secret: secret, recipient: Recipient(kem: kem, publicKey: publicKey))
  }

  package var kid: String { recipient.kid }

  /// PKCS #8, as `openssl genpkey` writes it.
  package var pem: Secret {
    let encoded = KeyEncoding.writePrivateKey(
      recipient.kem,
      secret,
      publicKey: recipient.publicKey
    )
    return PEM.encode(PEM.privateKey, encoded.bytes)
  }
}

extension Identity: CustomStringConvertible {
  package var description: String { "Identity(\(kid))" }
}
