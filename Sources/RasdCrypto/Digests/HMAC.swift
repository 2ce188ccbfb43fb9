internal import COpenSSL

/// HMAC (RFC 2104) under one key, for any number of messages: the key is hashed once.
@safe package struct HMAC: ~Copyable {
  private let context: OpaquePointer
  package let function: HashFunction

  package init(_ function: HashFunction, key: Span<UInt8>) {
    self.function = function
    unsafe context = Libcrypto.require(EVP_MAC_CTX_new(Libcrypto.hmac.pointer))
    rekey(key)
  }

  deinit { unsafe EVP_MAC_CTX_free(context) }

  /// Takes another key; what was taken in of a message is forgotten.
  package mutating func rekey(_ key: Span<UInt8>) {
    unsafe key.withUnsafeBufferPointer {
      unsafe Libcrypto.require(
        shim_hmac_key(context, function.name, $0.baseAddress, $0.count)
      )
    }
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe Libcrypto.require(EVP_MAC_update(context, $0.baseAddress, $0.count))
    }
  }

  /// Appends the tag of what was taken in, and begins the next message under the same key.
  package mutating func finish(into output: inout OutputSpan<UInt8>) {
    let size = function.size
    _ = unsafe output.appendBytes(size) { target in
      var written = 0
      return unsafe EVP_MAC_final(context, target, &written, size) == 1
    }
    unsafe Libcrypto.require(EVP_MAC_init(context, nil, 0, nil))
  }

  /// Whether `tag`, the whole of it, is the tag of what was taken in; begins the next message.
  package mutating func finish(verifying tag: Span<UInt8>) -> Bool {
    var own = InlineArray<64, UInt8>(repeating: 0)
    var bytes = own.mutableSpan
    let size = function.size
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      var output = unsafe OutputSpan(buffer: bytes, initializedCount: 0)
      finish(into: &output)
      _ = unsafe output.finalize(for: bytes)
    }
    return Libcrypto.equal(own.span.extracting(..<size), tag)
  }

  /// The tag of one message.
  package static func tag(
    _ function: HashFunction,
    key: Span<UInt8>,
    _ message: Span<UInt8>
  ) -> [UInt8] {
    var mac = HMAC(function, key: key)
    mac.update(message)
    return [UInt8](capacity: function.size) { mac.finish(into: &$0) }
  }
}
