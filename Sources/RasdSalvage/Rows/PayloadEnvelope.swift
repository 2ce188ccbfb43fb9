internal import RasdCrypto
internal import RasdModel

/// A Rasd payload envelope (Rasd storage specification, §8.1):
/// `[0x01][kidLen][kid][12-byte IV][ciphertext‖16-byte tag]`.
enum PayloadEnvelope {
  static let overhead = 2 + 12 + 16
  /// What stands before the base64url of a sealed field value.
  static let fieldPrefix: [UInt8] = Array("enc:v1:".utf8)

  /// Whether the bytes could be an envelope: they begin as one and are long enough, and their
  /// key id is printable.
  static func isPlausible(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= overhead, bytes[0] == 0x01 else { return false }
    let kid = Int(bytes[1])
    guard bytes.count >= overhead + kid else { return false }
    for i in 2..<2 + kid where bytes[i] < 0x20 || bytes[i] > 0x7E { return false }
    return true
  }

  /// The plaintext, or `nil` where no key given opens it for this row.
  ///
  /// `subject` is `<table>/<primary key>`, which the envelope is bound to.
  static func open(_ envelope: Span<UInt8>, subject: [UInt8], keys: FieldKeys) -> [UInt8]? {
    guard isPlausible(envelope) else { return nil }
    let kid = envelope.extracting(2..<2 + Int(envelope[1]))
    guard let key = keys.key(for: kid), key.secret.count == 32 else { return nil }
    var aead = AES256GCM(key: key.secret.bytes)
    let size = envelope.count - overhead - kid.count
    var isOpen = false
    let plaintext = [UInt8](capacity: size) { output in
      isOpen = Envelope.open(
        envelope,
        using: &aead,
        kid: kid,
        aad: subject.span,
        into: &output
      )
    }
    return isOpen ? plaintext : nil
  }
}
