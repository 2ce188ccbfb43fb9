import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct DigestTests {
  @Test func sha256OfKnownMessages() {
    #expect(
      SHA256.digest([]).hex
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    #expect(
      SHA256.digest(Array("abc".utf8)).hex
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
  }

  @Test func otherFunctionsOfKnownMessages() {
    let message = Array("abc".utf8)
    #expect(Hex.encode(SHA1.digest(message)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(Hex.encode(SHA512.digest(message)).hasPrefix("ddaf35a193617abacc417349ae204131"))
  }

  /// However a message is cut, and however often the context was used before.
  @Test func piecesGiveTheDigestOfTheWhole() {
    var generator = SeededGenerator()
    var running = SHA256()
    for length in [0, 1, 55, 56, 63, 64, 65, 5_000] {
      let message = generator.bytes(length)
      var start = 0
      while start < length {
        let end = min(length, start + Int.random(in: 0...100, using: &generator))
        running.update(message.span.extracting(start..<end))
        start = end
      }
      #expect(running.finish() == SHA256.digest(message))
    }
  }

  @Test func threadsDoNotDisturbEachOther() async {
    let messages = (0..<64).map { [UInt8](repeating: UInt8($0), count: 1_000 + $0) }
    let expected = messages.map { SHA256.digest($0) }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { SHA256.digest(messages[$0 % 64]) == expected[$0 % 64] }
        }
      }
      for await same in group { #expect(same) }
    }
  }
}

@Suite struct HMACTests {
  /// RFC 4231, §4.2 to §4.7.
  @Test(arguments: [
    (
      String(repeating: "0b", count: 20), "4869205468657265",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      String(repeating: "aa", count: 131),
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func rfc4231(key: String, message: String, tag: String) {
    #expect(HMAC.tag(.sha256, key: hex(key), hex(message)) == hex(tag))
  }

  @Test(arguments: HashFunction.allCases)
  func oneContextServesManyMessages(_ function: HashFunction) {
    let key = Array("key".utf8)
    var mac = HMAC(function, key: key)
    for message in ["one", "", "three"].map({ Array($0.utf8) }) {
      let expected = HMAC.tag(function, key: key, message)
      mac.update(message)
      #expect(mac.finish() == expected)
      mac.update(message)
      let verified = mac.finish(verifying: expected)
      #expect(verified)
      mac.update(message)
      let shortened = mac.finish(verifying: expected.dropLast())
      #expect(!shortened)
    }
  }

  @Test func anotherKeyForgetsTheMessage() {
    var mac = HMAC(.sha512, key: Array("one".utf8))
    mac.update(Array("lost".utf8))
    mac.rekey([])
    mac.update(Array("message".utf8))
    let tag = mac.finish()
    #expect(tag == HMAC.tag(.sha512, key: [], Array("message".utf8)))
  }
}

@Suite struct HKDFTests {
  /// RFC 5869, A.1.
  @Test func rfc5869() {
    let key = HKDF.extract(
      .sha256,
      salt: hex("000102030405060708090a0b0c"),
      [UInt8](repeating: 0x0B, count: 22)
    )
    #expect(
      key.copy == hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
    )
    let info = hex("f0f1f2f3f4f5f6f7f8f9")
    let output = HKDF.expand(.sha256, key: key.copy, info: info, count: 42)
    #expect(
      output.copy
        == hex(
          "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        )
    )
  }

  @Test func moreThanTheLimitIsAFaultOfTheCaller() async {
    await #expect(processExitsWith: .failure) {
      let key = [UInt8](repeating: 1, count: 32)
      _ = HKDF.expand(.sha256, key: key, info: [], count: 255 * 32 + 1)
    }
  }
}
