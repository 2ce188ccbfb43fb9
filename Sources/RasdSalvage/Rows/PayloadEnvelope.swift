/// The frame of a Rasd payload envelope (Rasd storage specification, §8.1):
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
}
