internal import COpenSSL

/// AES-256-CBC without padding, as SQLCipher writes pages: one key, an IV a page.
///
/// It proves nothing: whoever decrypts a page checks its HMAC first.
@safe package struct AES256CBC: ~Copyable {
  package static let keySize = 32
  package static let blockSize = 16

  private let context: OpaquePointer
  private let direction: Direction

  package enum Direction: CInt, Sendable { case decrypt = 0, encrypt = 1 }

  package init(_ direction: Direction, key: Span<UInt8>) {
    precondition(key.count == Self.keySize)
    self.direction = direction
    unsafe context = Libcrypto.require(EVP_CIPHER_CTX_new())
    unsafe key.withUnsafeBufferPointer {
      unsafe Libcrypto.require(
        EVP_CipherInit_ex2(
          context,
          Libcrypto.aes256CBC.pointer,
          $0.baseAddress,
          nil,
          direction.rawValue,
          nil
        )
      )
    }
    unsafe Libcrypto.require(EVP_CIPHER_CTX_set_padding(context, 0))
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  /// Appends as many bytes as come in, which must be whole blocks.
  package mutating func apply(
    _ input: Span<UInt8>,
    iv: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) {
    precondition(iv.count == Self.blockSize && input.count % Self.blockSize == 0)
    guard let count = CInt(exactly: input.count) else { preconditionFailure("input too long") }
    unsafe iv.withUnsafeBufferPointer {
      unsafe Libcrypto.require(
        EVP_CipherInit_ex2(context, nil, nil, $0.baseAddress, direction.rawValue, nil)
      )
    }
    _ = unsafe output.appendBytes(input.count) { target in
      unsafe input.withUnsafeBufferPointer {
        var written: CInt = 0
        unsafe Libcrypto.require(
          EVP_CipherUpdate(context, target, &written, $0.baseAddress, count)
        )
        return written == count
      }
    }
  }
}
