internal import COpenSSL

/// Random bytes for keys, salts and nonces, from libcrypto's generator.
package enum SecureRandom {
  /// `count` random bytes.
  package static func bytes(_ count: Int) -> [UInt8] {
    [UInt8](capacity: count) { append(count, to: &$0) }
  }

  /// `count` random bytes as a secret.
  package static func secret(_ count: Int) -> Secret {
    Secret(capacity: count) { append(count, to: &$0) }
  }

  /// Appends `count` random bytes to an output.
  package static func append(_ count: Int, to output: inout OutputSpan<UInt8>) {
    guard count > 0 else { return }
    let done = unsafe output.appendBytes(count) { unsafe RAND_priv_bytes($0, CInt(count)) == 1 }
    precondition(done, "no randomness to be had")
  }
}
