/// The Rasd envelope: `[0x01][kidLen][kid][12-byte IV][ciphertext‖16-byte tag]`, AES-256-GCM (Rasd
/// storage specification, §8.1; the format, §manifest.json and §Keys).
package enum Envelope {
  private static let version: UInt8 = 1

  /// Bytes that an envelope adds to its plaintext.
  package static func overhead(kidSize: Int = 0) -> Int {
    2 + kidSize + AES256GCM.nonceSize + AES256GCM.tagSize
  }

  /// Appends the envelope of a plaintext under a fresh IV; a kid has at most 255 bytes.
  package static func seal(
    _ plaintext: Span<UInt8>,
    using aead: inout AES256GCM,
    kid: Span<UInt8> = Span(),
    aad: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) {
    guard let kidSize = UInt8(exactly: kid.count) else { preconditionFailure("kid too long") }
    let iv = SecureRandom.bytes(AES256GCM.nonceSize)
    output.append(version)
    output.append(kidSize)
    output.append(copying: kid)
    output.append(copying: iv.span)
    aead.seal(plaintext, nonce: iv.span, aad: aad, into: &output)
  }

  /// Appends the plaintext, or nothing where the envelope has another version or kid, is cut,
  /// or is not sealed under this key and additional data.
  package static func open(
    _ envelope: Span<UInt8>,
    using aead: inout AES256GCM,
    kid: Span<UInt8> = Span(),
    aad: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) -> Bool {
    guard envelope.count >= overhead(kidSize: kid.count),
      envelope[0] == version,
      Int(envelope[1]) == kid.count,
      Libcrypto.equal(envelope.extracting(2..<2 + kid.count), kid)
    else { return false }
    let rest = envelope.extracting(droppingFirst: 2 + kid.count)
    return aead.open(
      rest.extracting(droppingFirst: AES256GCM.nonceSize),
      nonce: rest.extracting(first: AES256GCM.nonceSize),
      aad: aad,
      into: &output
    )
  }
}
