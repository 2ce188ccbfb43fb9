internal import COpenSSL

/// A key-encapsulation curve of HPKE, by its number there (RFC 9180, §7.1).
package enum KEM: UInt16, Sendable, CaseIterable {
  case p256 = 16
  case x25519 = 32

  /// Bytes of a raw public key: a coordinate, or 0x04 and two coordinates.
  package var publicKeySize: Int { self == .p256 ? 65 : 32 }
  package static let privateKeySize = 32
}

/// Diffie-Hellman on the two curves, over raw keys.
enum KeyExchange {
  /// A private key from the system's randomness.
  static func makePrivateKey(_ kem: KEM) -> (secret: Secret, publicKey: [UInt8]) {
    while true {
      // One in 2^32 random scalars lies above the order of P-256.
      let secret = SecureRandom.secret(KEM.privateKeySize)
      if let publicKey = publicKey(kem, of: secret.bytes) { return (secret, publicKey) }
    }
  }

  /// Whether a secret can be agreed with this public key: no point of low order, none off the
  /// curve.
  static func isUsable(_ kem: KEM, publicKey: [UInt8]) -> Bool {
    let probe = [UInt8](repeating: 0x55, count: KEM.privateKeySize)
    return agree(kem, secret: probe.span, publicKey: publicKey.span) != nil
  }

  /// The raw public key of a private one; nil where that is no key of the curve.
  static func publicKey(_ kem: KEM, of secret: Span<UInt8>) -> [UInt8]? {
    guard secret.count == KEM.privateKeySize else { return nil }
    return switch kem {
    case .x25519: X25519.publicKey(of: secret)
    case .p256: P256.publicKey(of: secret)
    }
  }

  /// The shared secret, 32 bytes; nil where either key is none of the curve or the result would
  /// be the same for every private key (RFC 9180, §7.1.4).
  static func agree(_ kem: KEM, secret: Span<UInt8>, publicKey: Span<UInt8>) -> Secret? {
    guard secret.count == KEM.privateKeySize, publicKey.count == kem.publicKeySize else {
      return nil
    }
    return switch kem {
    case .x25519: X25519.agree(secret: secret, publicKey: publicKey)
    case .p256: P256.agree(secret: secret, publicKey: publicKey)
    }
  }
}

/// X25519 (RFC 7748).
private enum X25519 {
  static func publicKey(of secret: Span<UInt8>) -> [UInt8]? {
    guard let key = unsafe privateKey(secret) else { return nil }
    defer { unsafe EVP_PKEY_free(key) }
    return [UInt8](capacity: 32) { output in
      let done = unsafe output.appendBytes(32) {
        var count = 32
        return unsafe EVP_PKEY_get_raw_public_key(key, $0, &count) == 1 && count == 32
      }
      precondition(done, "libcrypto failed")
    }
  }

  static func agree(secret: Span<UInt8>, publicKey: Span<UInt8>) -> Secret? {
    guard let own = unsafe privateKey(secret) else { return nil }
    defer { unsafe EVP_PKEY_free(own) }
    let peer = unsafe publicKey.withUnsafeBufferPointer {
      unsafe EVP_PKEY_new_raw_public_key_ex(nil, "X25519", nil, $0.baseAddress, $0.count)
    }
    guard let peer = unsafe peer else { return nil }
    defer { unsafe EVP_PKEY_free(peer) }
    let context = unsafe Libcrypto.require(EVP_PKEY_CTX_new_from_pkey(nil, own, nil))
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_derive_init(context) == 1,
      unsafe EVP_PKEY_derive_set_peer(context, peer) == 1
    else { return nil }
    var agreed = false
    let shared = Secret(capacity: 32) { output in
      // libcrypto refuses a result that is all zero.
      agreed = unsafe output.appendBytes(32) {
        var count = 32
        return unsafe EVP_PKEY_derive(context, $0, &count) == 1 && count == 32
      }
    }
    return agreed ? shared : nil
  }

  private static func privateKey(_ secret: Span<UInt8>) -> OpaquePointer? {
    unsafe secret.withUnsafeBufferPointer {
      unsafe EVP_PKEY_new_raw_private_key_ex(nil, "X25519", nil, $0.baseAddress, $0.count)
    }
  }
}

/// Diffie-Hellman on P-256, its result the x coordinate (SEC 1, §3.3.1; the cofactor is 1).
private enum P256 {
  static func publicKey(of secret: Span<UInt8>) -> [UInt8]? {
    unsafe withCurve { group, arena in
      guard let scalar = unsafe scalar(secret, group, arena) else { return nil }
      let point = unsafe Libcrypto.require(EC_POINT_new(group))
      defer { unsafe EC_POINT_clear_free(point) }
      unsafe Libcrypto.require(EC_POINT_mul(group, point, scalar, nil, nil, arena))
      return [UInt8](capacity: 65) { output in
        let done = unsafe output.appendBytes(65) {
          unsafe EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, $0, 65, arena)
            == 65
        }
        precondition(done, "libcrypto failed")
      }
    }
  }

  static func agree(secret: Span<UInt8>, publicKey: Span<UInt8>) -> Secret? {
    guard publicKey[0] == 4 else { return nil }
    return unsafe withCurve { group, arena in
      guard let scalar = unsafe scalar(secret, group, arena) else { return nil }
      let peer = unsafe Libcrypto.require(EC_POINT_new(group))
      defer { unsafe EC_POINT_free(peer) }
      // It refuses points that are not on the curve.
      let valid = unsafe publicKey.withUnsafeBufferPointer {
        unsafe EC_POINT_oct2point(group, peer, $0.baseAddress, $0.count, arena) == 1
      }
      guard valid else { return nil }
      let shared = unsafe Libcrypto.require(EC_POINT_new(group))
      defer { unsafe EC_POINT_clear_free(shared) }
      unsafe Libcrypto.require(EC_POINT_mul(group, shared, nil, peer, scalar, arena))
      let x = unsafe Libcrypto.require(BN_new())
      defer { unsafe BN_clear_free(x) }
      guard unsafe EC_POINT_get_affine_coordinates(group, shared, x, nil, arena) == 1 else {
        return nil
      }
      return Secret(capacity: 32) { output in
        let done = unsafe output.appendBytes(32) { unsafe BN_bn2binpad(x, $0, 32) == 32 }
        precondition(done, "libcrypto failed")
      }
    }
  }

  private static func withCurve<R>(_ body: (OpaquePointer, OpaquePointer) -> R) -> R {
    let group = unsafe Libcrypto.require(
      EC_GROUP_new_by_curve_name_ex(nil, nil, NID_X9_62_prime256v1)
    )
    defer { unsafe EC_GROUP_free(group) }
    let arena = unsafe Libcrypto.require(BN_CTX_secure_new())
    defer { unsafe BN_CTX_free(arena) }
    return unsafe body(group, arena)
  }

  /// The scalar, freed with the arena; nil unless 0 < scalar < order.
  private static func scalar(
    _ secret: Span<UInt8>,
    _ group: OpaquePointer,
    _ arena: OpaquePointer
  ) -> OpaquePointer? {
    let scalar = unsafe Libcrypto.require(BN_CTX_get(arena))
    unsafe secret.withUnsafeBufferPointer {
      _ = unsafe Libcrypto.require(BN_bin2bn($0.baseAddress, CInt($0.count), scalar))
    }
    unsafe BN_set_flags(scalar, BN_FLG_CONSTTIME)
    guard unsafe BN_is_zero(scalar) == 0, unsafe BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0
    else { return nil }
    return unsafe scalar
  }
}
