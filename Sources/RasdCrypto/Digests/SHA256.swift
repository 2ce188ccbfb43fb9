internal import COpenSSL
internal import Glibc
package import RasdModel

/// SHA-256 (FIPS 180-4) of a message taken in by pieces; ready for the next after each finish.
@safe package struct SHA256: ~Copyable {
  private let context: OpaquePointer

  package init() { unsafe context = Self.makeContext() }

  deinit { unsafe EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: Span<UInt8>) {
    unsafe Self.update(context, bytes)
  }

  /// The digest of what was taken in; begins anew.
  package mutating func finish() -> SHA256Digest {
    let digest = unsafe Self.final(context)
    unsafe Libcrypto.require(EVP_DigestInit_ex2(context, nil, nil))
    return digest
  }

  /// The digest of one message, allocating nothing: each thread keeps a context for it.
  package static func digest(_ bytes: Span<UInt8>) -> SHA256Digest {
    let context = unsafe threadContext()
    unsafe Libcrypto.require(EVP_DigestInit_ex2(context, nil, nil))
    unsafe update(context, bytes)
    return unsafe final(context)
  }

  private static func makeContext() -> OpaquePointer {
    let context = unsafe Libcrypto.require(EVP_MD_CTX_new())
    unsafe Libcrypto.require(EVP_DigestInit_ex2(context, Libcrypto.sha256.pointer, nil))
    return unsafe context
  }

  @inline(__always)
  private static func update(_ context: OpaquePointer, _ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe Libcrypto.require(EVP_DigestUpdate(context, $0.baseAddress, $0.count))
    }
  }

  @inline(__always)
  private static func final(_ context: OpaquePointer) -> SHA256Digest {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &words) {
      unsafe Libcrypto.require(
        EVP_DigestFinal_ex(context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
      )
    }
    return SHA256Digest(
      words: (
        words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
      )
    )
  }

  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    let made = unsafe pthread_key_create(&key) { unsafe EVP_MD_CTX_free(OpaquePointer($0)) }
    precondition(made == 0, "no thread storage left")
    return key
  }()

  private static func threadContext() -> OpaquePointer {
    if let context = unsafe pthread_getspecific(threadKey) { return OpaquePointer(context) }
    let context = unsafe makeContext()
    unsafe pthread_setspecific(threadKey, UnsafeRawPointer(context))
    return unsafe context
  }
}
