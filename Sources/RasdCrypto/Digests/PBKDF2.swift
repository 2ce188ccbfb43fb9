internal import COpenSSL

/// PBKDF2 with HMAC (RFC 8018).
package enum PBKDF2 {
  /// `count` bytes of key out of a password.
  ///
  /// It costs what `iterations` says: bounds are the caller's to check.
  package static func derive(
    _ function: HashFunction,
    password: Span<UInt8>,
    salt: Span<UInt8>,
    iterations: Int,
    count: Int
  ) -> Secret {
    precondition(count > 0 && iterations > 0)
    guard let rounds = CInt(exactly: iterations) else { preconditionFailure("too many iterations") }
    return Secret(capacity: count) { output in
      let done = unsafe output.appendBytes(count) { target in
        unsafe password.withUnsafeBufferPointer { password in
          unsafe salt.withUnsafeBufferPointer { salt in
            unsafe password.withMemoryRebound(to: CChar.self) { password in
              unsafe PKCS5_PBKDF2_HMAC(
                password.baseAddress,
                CInt(password.count),
                salt.baseAddress,
                CInt(salt.count),
                rounds,
                function.algorithm.pointer,
                CInt(count),
                target
              ) == 1
            }
          }
        }
      }
      precondition(done, "libcrypto failed")
    }
  }
}
