internal import COpenSSL

/// A running hash over libcrypto's context, ready for the next message after each finish.
@safe struct DigestContext: ~Copyable {
  private let context: OpaquePointer
  private let size: Int

  init(_ function: HashFunction) {
    size = function.size
    unsafe context = Libcrypto.require(EVP_MD_CTX_new())
    unsafe Libcrypto.require(EVP_DigestInit_ex2(context, function.algorithm.pointer, nil))
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe Libcrypto.require(EVP_DigestUpdate(context, $0.baseAddress, $0.count))
    }
  }

  /// Appends the digest of what was taken in, and begins anew.
  mutating func finish(into output: inout OutputSpan<UInt8>) {
    _ = unsafe output.appendBytes(size) { unsafe EVP_DigestFinal_ex(context, $0, nil) == 1 }
    unsafe Libcrypto.require(EVP_DigestInit_ex2(context, nil, nil))
  }
}

extension DigestContext {
  static func digest(_ function: HashFunction, _ bytes: Span<UInt8>) -> [UInt8] {
    var context = DigestContext(function)
    context.update(bytes)
    return [UInt8](capacity: function.size) { context.finish(into: &$0) }
  }
}
