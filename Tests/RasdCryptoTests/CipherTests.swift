import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct AES256GCMTests {
  @Test func everyChangedByteIsRefused() {
    var generator = SeededGenerator()
    var cipher = AES256GCM(key: generator.bytes(32))
    let nonce = generator.bytes(12)
    let aad = generator.bytes(20)
    let message = generator.bytes(50)
    let sealed = cipher.seal(message, nonce: nonce, aad: aad)
    #expect(cipher.open(sealed, nonce: nonce, aad: aad) == message)
    for (index, changed) in flips(sealed) {
      #expect(cipher.open(changed, nonce: nonce, aad: aad) == nil, "byte \(index)")
    }
    for (_, changed) in flips(nonce) {
      #expect(cipher.open(sealed, nonce: changed, aad: aad) == nil)
    }
    for (_, changed) in flips(aad) {
      #expect(cipher.open(sealed, nonce: nonce, aad: changed) == nil)
    }
    for count in 0..<sealed.count {
      #expect(cipher.open(Array(sealed[..<count]), nonce: nonce, aad: aad) == nil)
    }
    #expect(cipher.open(sealed, nonce: nonce, aad: aad) == message)
  }

  @Test func refusedPlaintextIsNotHandedOut() {
    var cipher = AES256GCM(key: [UInt8](repeating: 1, count: 32))
    let nonce = [UInt8](repeating: 2, count: 12)
    var sealed = cipher.seal([UInt8](repeating: 3, count: 100), nonce: nonce, aad: [])
    sealed[115] ^= 1
    let output = [UInt8](capacity: 100) {
      _ = cipher.open(sealed.span, nonce: nonce.span, aad: Span(), into: &$0)
    }
    #expect(output.isEmpty)
  }

  @Test func anotherKey() {
    let nonce = [UInt8](repeating: 2, count: 12)
    var cipher = AES256GCM(key: [UInt8](repeating: 1, count: 32))
    let sealed = cipher.seal([9], nonce: nonce, aad: [])
    cipher.rekey([UInt8](repeating: 7, count: 32))
    #expect(cipher.open(sealed, nonce: nonce, aad: []) == nil)
    cipher.rekey([UInt8](repeating: 1, count: 32))
    #expect(cipher.open(sealed, nonce: nonce, aad: []) == [9])
  }
}

@Suite struct AES256CBCTests {
  /// NIST SP 800-38A, F.2.5 and F.2.6.
  @Test func sp80038A() {
    let key = hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    let iv = hex("000102030405060708090a0b0c0d0e0f")
    let plaintext = hex(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )
    let ciphertext = hex(
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"
    )
    var encrypt = AES256CBC(.encrypt, key: key.span)
    var decrypt = AES256CBC(.decrypt, key: key.span)
    // Twice, since one context serves many pages.
    for _ in 0..<2 {
      #expect(
        [UInt8](capacity: 64) { encrypt.apply(plaintext.span, iv: iv.span, into: &$0) }
          == ciphertext
      )
      #expect(
        [UInt8](capacity: 64) { decrypt.apply(ciphertext.span, iv: iv.span, into: &$0) }
          == plaintext
      )
    }
  }
}

@Suite struct EnvelopeTests {
  private let kid = Array("k1".utf8)
  private let aad = Array("submissions/1".utf8)

  private func open(_ envelope: [UInt8], kid: [UInt8]) -> [UInt8]? {
    var cipher = AES256GCM(key: [UInt8](repeating: 1, count: 32))
    var opened = false
    let plaintext = [UInt8](capacity: envelope.count) {
      opened = Envelope.open(
        envelope.span,
        using: &cipher,
        kid: kid.span,
        aad: aad.span,
        into: &$0
      )
    }
    return opened ? plaintext : nil
  }

  @Test func everyChangedByteIsRefused() {
    let message = Array("the answer".utf8)
    for kid in [kid, []] {
      var cipher = AES256GCM(key: [UInt8](repeating: 1, count: 32))
      let envelope = [UInt8](capacity: message.count + Envelope.overhead(kidSize: kid.count)) {
        Envelope.seal(message.span, using: &cipher, kid: kid.span, aad: aad.span, into: &$0)
      }
      #expect(envelope.count == message.count + Envelope.overhead(kidSize: kid.count))
      #expect(envelope.starts(with: [1, UInt8(kid.count)] + kid))
      #expect(open(envelope, kid: kid) == message)
      #expect(open(envelope, kid: Array("k2".utf8)) == nil)
      for (index, changed) in flips(envelope) {
        #expect(open(changed, kid: kid) == nil, "byte \(index)")
      }
      for count in envelope.indices { #expect(open(Array(envelope[..<count]), kid: kid) == nil) }
      #expect(open(envelope + [0], kid: kid) == nil)
    }
  }
}
