internal import COpenSSL

/// The algorithms of libcrypto, each fetched once: a fetch by name costs more than hashing a row.
@safe enum Libcrypto {
  /// A fetched algorithm, never freed.
  // Sendable because libcrypto's fetched methods are immutable and counted atomically.
  @safe struct Algorithm: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer?) {
      guard let pointer = unsafe pointer else {
        preconditionFailure("libcrypto lacks an algorithm")
      }
      unsafe self.pointer = pointer
    }
  }

  static let sha1 = unsafe Algorithm(EVP_MD_fetch(nil, "SHA1", nil))
  static let sha256 = unsafe Algorithm(EVP_MD_fetch(nil, "SHA2-256", nil))
  static let sha512 = unsafe Algorithm(EVP_MD_fetch(nil, "SHA2-512", nil))
  static let hmac = unsafe Algorithm(EVP_MAC_fetch(nil, "HMAC", nil))
  static let aes256GCM = unsafe Algorithm(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
  static let aes256CBC = unsafe Algorithm(EVP_CIPHER_fetch(nil, "AES-256-CBC", nil))

  /// Stops the program where libcrypto fails at what no input can make it fail at: there is no
  /// memory left, or the library is broken.
  @inline(__always)
  static func require(_ result: CInt) {
    precondition(result == 1, "libcrypto failed")
  }

  static func require(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer = unsafe pointer else { preconditionFailure("libcrypto is out of memory") }
    return unsafe pointer
  }

  /// Whether two byte strings are equal, in a time that depends on their lengths only.
  static func equal(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    guard a.count > 0 else { return true }
    return unsafe a.withUnsafeBufferPointer { a in
      unsafe b.withUnsafeBufferPointer { b in
        unsafe CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0
      }
    }
  }
}

extension OutputSpan<UInt8> {
  /// Lets a C function write the next `count` bytes; they count as written if it says true.
  @inline(__always)
  mutating func appendBytes<E: Error>(
    _ count: Int,
    _ write: (UnsafeMutablePointer<UInt8>) throws(E) -> Bool
  ) throws(E) -> Bool {
    precondition(count <= freeCapacity, "output too small")
    return unsafe try withUnsafeMutableBufferPointer { buffer, initialized throws(E) in
      guard let start = buffer.baseAddress else { return count == 0 }
      guard unsafe try write(start + initialized) else { return false }
      initialized += count
      return true
    }
  }

  /// Appends a copy of `bytes`.
  package mutating func append(copying bytes: Span<UInt8>) {
    _ = unsafe appendBytes(bytes.count) { target in
      unsafe bytes.withUnsafeBufferPointer { source in
        if let start = source.baseAddress {
          unsafe target.update(from: start, count: source.count)
        }
      }
      return true
    }
  }
}
