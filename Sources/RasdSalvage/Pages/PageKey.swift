package import RasdCrypto

/// A key of a SQLCipher database as it was given.
package enum DatabaseKey: Sendable {
  /// 32 bytes used as they are, with the 16-byte salt where it came with them (96 hex digits).
  case raw(Secret, salt: [UInt8]?)
  /// A passphrase's bytes, put through PBKDF2 with the salt.
  case passphrase(Secret)
}

/// The two keys of a database's pages, derived from a given key and a salt.
struct PageKey: Sendable {
  /// Which of the given keys this comes from.
  let index: Int
  let encryption: Secret
  /// The HMAC key; `nil` where the salt it needs is lost.
  let authentication: Secret?

  /// The key that encrypts: the raw key itself, or PBKDF2 of the passphrase.
  static func encryption(_ key: DatabaseKey, salt: [UInt8]?, kdf: CipherKDF) -> Secret? {
    switch key {
    case .raw(let secret, _): return secret
    case .passphrase(let secret):
      guard let salt else { return nil }
      return PBKDF2.derive(
        kdf.function,
        password: secret.bytes,
        salt: salt.span,
        iterations: kdf.iterations,
        count: AES256CBC.keySize
      )
    }
  }

  /// The HMAC key, which SQLCipher derives from the page key and the masked salt.
  static func authentication(
    _ encryption: Secret,
    salt: [UInt8],
    function: HashFunction,
    mask: UInt8
  ) -> Secret {
    let masked = salt.map { $0 ^ mask }
    return PBKDF2.derive(
      function,
      password: encryption.bytes,
      salt: masked.span,
      iterations: CipherFormat.fastIterations,
      count: AES256CBC.keySize
    )
  }
}
