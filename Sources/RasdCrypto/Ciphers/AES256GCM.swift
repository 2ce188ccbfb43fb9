internal import COpenSSL

/// AES-256-GCM with 12-byte nonces and 16-byte tags, under one key at a time.
///
/// Nothing is allocated per message.
@safe package struct AES256GCM: ~Copyable {
  package static let keySize = 32
  package static let nonceSize = 12
  package static let tagSize = 16

  private let context: OpaquePointer

  package init(key: Span<UInt8>) {
    unsafe context = Libcrypto.require(EVP_CIPHER_CTX_new())
    rekey(key)
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  /// Takes another key.
  package mutating func rekey(_ key: Span<UInt8>) {
    precondition(key.count == Self.keySize)
    unsafe key.withUnsafeBufferPointer { key in
      unsafe Libcrypto.require(
        EVP_CipherInit_ex2(
          context,
          Libcrypto.aes256GCM.pointer,
          key.baseAddress,
          nil,
          Direction.seal.rawValue,
          nil
        )
      )
    }
  }

  /// Appends ciphertext and tag: 16 bytes more than the plaintext.
  package mutating func seal(
    _ plaintext: Span<UInt8>,
    nonce: Span<UInt8>,
    aad: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) {
    begin(.seal, nonce: nonce, aad: aad)
    let done = unsafe output.appendBytes(plaintext.count + Self.tagSize) { target in
      unsafe update(plaintext, into: target)
      Libcrypto.require(finish())
      return unsafe EVP_CIPHER_CTX_ctrl(
        context,
        EVP_CTRL_AEAD_GET_TAG,
        CInt(Self.tagSize),
        target + plaintext.count
      ) == 1
    }
    precondition(done, "libcrypto failed")
  }

  /// Appends the plaintext of ciphertext and tag, or nothing where the tag is wrong.
  package mutating func open(
    _ sealed: Span<UInt8>,
    nonce: Span<UInt8>,
    aad: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) -> Bool {
    guard sealed.count >= Self.tagSize else { return false }
    let ciphertext = sealed.extracting(droppingLast: Self.tagSize)
    let tag = sealed.extracting(last: Self.tagSize)
    begin(.open, nonce: nonce, aad: aad)
    unsafe tag.withUnsafeBufferPointer {
      unsafe Libcrypto.require(
        EVP_CIPHER_CTX_ctrl(
          context,
          EVP_CTRL_AEAD_SET_TAG,
          CInt(Self.tagSize),
          UnsafeMutablePointer(mutating: $0.baseAddress)
        )
      )
    }
    if ciphertext.isEmpty { return finish() == 1 }
    return unsafe output.appendBytes(ciphertext.count) { target in
      unsafe update(ciphertext, into: target)
      if finish() == 1 { return true }
      // What has not been proved is not left lying about.
      unsafe OPENSSL_cleanse(target, ciphertext.count)
      return false
    }
  }

  private enum Direction: CInt { case open = 0, seal = 1 }

  private func begin(_ direction: Direction, nonce: Span<UInt8>, aad: Span<UInt8>) {
    precondition(nonce.count == Self.nonceSize)
    unsafe nonce.withUnsafeBufferPointer {
      unsafe Libcrypto.require(
        EVP_CipherInit_ex2(context, nil, nil, $0.baseAddress, direction.rawValue, nil)
      )
    }
    if !aad.isEmpty { unsafe update(aad, into: nil) }
  }

  /// Takes in additional data where there is no target.
  private func update(_ bytes: Span<UInt8>, into target: UnsafeMutablePointer<UInt8>?) {
    guard !bytes.isEmpty else { return }
    guard let count = CInt(exactly: bytes.count) else { preconditionFailure("message too long") }
    var written: CInt = 0
    unsafe bytes.withUnsafeBufferPointer {
      unsafe Libcrypto.require(
        EVP_CipherUpdate(context, target, &written, $0.baseAddress, count)
      )
    }
  }

  private func finish() -> CInt {
    // GCM writes nothing here, but wants a place to write it to.
    var nothing: (UInt64, UInt64) = (0, 0)
    var written: CInt = 0
    return unsafe withUnsafeMutableBytes(of: &nothing) {
      unsafe EVP_CipherFinal_ex(
        context,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self),
        &written
      )
    }
  }
}
