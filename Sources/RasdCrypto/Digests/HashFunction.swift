/// A hash function, as HMAC, HKDF and PBKDF2 take it.
package enum HashFunction: Sendable, CaseIterable {
  case sha1, sha256, sha512

  /// Bytes of a digest.
  package var size: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  var algorithm: Libcrypto.Algorithm {
    switch self {
    case .sha1: Libcrypto.sha1
    case .sha256: Libcrypto.sha256
    case .sha512: Libcrypto.sha512
    }
  }

  /// The name by which libcrypto knows it.
  var name: String {
    switch self {
    case .sha1: "SHA1"
    case .sha256: "SHA2-256"
    case .sha512: "SHA2-512"
    }
  }
}
