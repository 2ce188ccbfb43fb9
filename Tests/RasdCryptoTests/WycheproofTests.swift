import CZlib
import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct WycheproofTests {
  @Test(.shared(Wycheproof.path("aes_gcm")))
  func aesGCM() throws {
    let tally = try Wycheproof("aes_gcm").run { group, vector in
      // The one key, nonce and tag size that any of our formats has.
      guard group["keySize"]?.int == 256, group["ivSize"]?.int == 96 else { return nil }
      let key = try vector.bytes("key")
      let nonce = try vector.bytes("iv")
      let aad = try vector.bytes("aad")
      let sealed = try vector.bytes("ct") + vector.bytes("tag")
      let message = try vector.bytes("msg")
      var cipher = AES256GCM(key: key.span)
      guard cipher.open(sealed, nonce: nonce, aad: aad) == message else { return false }
      return cipher.seal(message, nonce: nonce, aad: aad) == sealed
    }
    #expect(tally == .init(valid: 39, invalid: 27))
  }

  @Test(.shared(Wycheproof.path("c2sp_chunked_encryption_aes_256_gcm")))
  func chunkedEncryption() throws {
    var prefixes = 0
    let tally = try Wycheproof("c2sp_chunked_encryption_aes_256_gcm").run { _, vector in
      let key = Secret(try vector.bytes("key"))
      // Keys of another size have no way in: they are the caller's fault.
      guard key.count == ContentKey.size else { return false }
      let sealed = try inflate(vector.bytes("ct"))
      let context = try vector.bytes("ctx")
      var seal = ChunkedSeal(key: key)
      if vector.has(flag: "PartialPlaintext") {
        let found = seal.rescue(sealed.span, context: context.span)
        let rescued = try #require(found)
        let prefix = Array(rescued.bytes[..<rescued.prefixCount])
        #expect(!rescued.isWhole)
        #expect(Int64(prefix.count) == vector["msgLength"]?.int)
        #expect(try SHA512.digest(prefix.span) == vector.bytes("msgSha512"))
        prefixes += 1
      }
      guard let opened = try? seal.open(sealed.span, context: context.span) else { return false }
      #expect(Int64(opened.count) == vector["msgLength"]?.int)
      #expect(try SHA512.digest(opened.span) == vector.bytes("msgSha512"))
      let salt = sealed[..<ChunkedSeal.saltSize]
      let again = [UInt8](capacity: sealed.count) {
        seal.seal(opened.span, context: context.span, salt: Array(salt).span, into: &$0)
      }
      return again == sealed
    }
    #expect(tally == .init(valid: 10, invalid: 25))
    #expect(prefixes == 9)
  }

  @Test(.shared(Wycheproof.path("hkdf_sha256")), arguments: [HashFunction.sha256, .sha512])
  func hkdf(_ function: HashFunction) throws {
    let name = function == .sha256 ? "hkdf_sha256" : "hkdf_sha512"
    let tally = try Wycheproof(name).run { _, vector in
      let count = try #require(vector["size"]?.int.flatMap { Int(exactly: $0) })
      guard count <= HKDF.limit(function) else { return false }
      let salt = try vector.bytes("salt")
      let input = try vector.bytes("ikm")
      let info = try vector.bytes("info")
      let key = HKDF.extract(function, salt: salt.span, input.span)
      let output = HKDF.expand(function, key: key.bytes, info: info.span, count: count)
      return try output.copy == vector.bytes("okm")
    }
    #expect(
      tally == (function == .sha256 ? .init(valid: 83, invalid: 3) : .init(valid: 80, invalid: 3))
    )
  }

  @Test(.shared(Wycheproof.path("hmac_sha512")))
  func hmac() throws {
    let tally = try Wycheproof("hmac_sha512").run { group, vector in
      let tag = try vector.bytes("tag")
      let key = try vector.bytes("key")
      let message = try vector.bytes("msg")
      var mac = HMAC(.sha512, key: key.span)
      mac.update(message.span)
      if group["tagSize"]?.int == 512 { return mac.finish(verifying: tag.span) }
      let whole = [UInt8](capacity: 64) { mac.finish(into: &$0) }
      return whole.starts(with: tag)
    }
    #expect(tally == .init(valid: 66, invalid: 108))
  }

  @Test(.shared(Wycheproof.path("pbkdf2_hmacsha256")), arguments: HashFunction.allCases)
  func pbkdf2(_ function: HashFunction) throws {
    let tally = try Wycheproof("pbkdf2_hmac\(function)").run { _, vector in
      let password = try vector.bytes("password")
      let salt = try vector.bytes("salt")
      let iterations = try #require(vector["iterationCount"]?.int.flatMap { Int(exactly: $0) })
      // One vector of 16,777,216 rounds says nothing that those of 4096 do not.
      guard iterations <= 1_000_000 || Soak.isLong else { return nil }
      let count = try #require(vector["dkLen"]?.int.flatMap { Int(exactly: $0) })
      let key = PBKDF2.derive(
        function,
        password: password.span,
        salt: salt.span,
        iterations: iterations,
        count: count
      )
      return try key.copy == vector.bytes("dk")
    }
    #expect(tally.valid >= 58)
  }

  @Test(.shared(Wycheproof.path("x25519")))
  func x25519() throws {
    var zeros = 0
    let tally = try Wycheproof("x25519").run { _, vector in
      let secret = try vector.bytes("private")
      let publicKey = try vector.bytes("public")
      let shared = KeyExchange.agree(.x25519, secret: secret.span, publicKey: publicKey.span)
      if vector.has(flag: "ZeroSharedSecret") {
        #expect(shared == nil)
        zeros += 1
      } else if vector["result"]?.string == "acceptable" {
        #expect(try shared?.copy == vector.bytes("shared"))
      }
      return try shared?.copy == vector.bytes("shared")
    }
    #expect(tally == .init(valid: 264, invalid: 0))
    #expect(zeros == 31)
  }

  @Test(.shared(Wycheproof.path("x25519_pem")))
  func x25519PEM() throws {
    var opened = 0
    let tally = try Wycheproof("x25519_pem").run { _, vector in
      let privateKey = try #require(vector["private"]?.string)
      let publicKey = try #require(vector["public"]?.string)
      let identity = try Identity(pem: Array(privateKey.utf8).span)
      guard let recipient = try? Recipient(pem: Array(publicKey.utf8).span) else {
        // Points of low order are no recipients.
        #expect(vector.has(flag: "LowOrderPublic"))
        return false
      }
      opened += 1
      #expect(recipient.pem == publicKey)
      let shared = KeyExchange.agree(
        .x25519,
        secret: identity.secret.bytes,
        publicKey: recipient.publicKey.span
      )
      return try shared?.copy == vector.bytes("shared")
    }
    #expect(tally == .init(valid: 264, invalid: 0))
    #expect(opened == 518 - 31)
  }

  @Test(.shared(Wycheproof.path("ecdh_secp256r1_ecpoint")))
  func p256() throws {
    var compressed = 0
    let tally = try Wycheproof("ecdh_secp256r1_ecpoint").run { _, vector in
      let publicKey = try vector.bytes("public")
      if publicKey.count != KEM.p256.publicKeySize, vector["result"]?.string == "valid" {
        // HPKE serialises uncompressed points only (RFC 9180, §7.1.1).
        compressed += 1
        return nil
      }
      // Written as a signed integer: of any length, with a zero in front or short of 32 bytes.
      let number = try vector.bytes("private").drop { $0 == 0 }
      let secret = [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number
      let shared = KeyExchange.agree(.p256, secret: secret.span, publicKey: publicKey.span)
      return try shared?.copy == vector.bytes("shared")
    }
    #expect(tally.valid + compressed == 330)
    #expect(tally.valid >= 320)
    #expect(tally.invalid == 24)
  }

  /// The C2SP file holds its messages compressed.
  private func inflate(_ compressed: [UInt8]) throws -> [UInt8] {
    var count: uLong = 8 << 20
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
      let status = unsafe uncompress(
        buffer.baseAddress,
        &count,
        compressed,
        uLong(compressed.count)
      )
      written = status == Z_OK ? Int(count) : 0
    }
    return bytes
  }
}
