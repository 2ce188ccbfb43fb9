import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct IdentityTests {
  private func identity(_ pem: [UInt8]) throws(KeyFault) -> Identity {
    try Identity(pem: pem.span)
  }

  private func recipient(_ pem: String) throws(KeyFault) -> Recipient {
    let text = Array(pem.utf8)
    return try Recipient(pem: text.span)
  }

  @Test(arguments: KEM.allCases)
  func pemRoundTrip(_ kem: KEM) throws {
    let made = Identity.make(kem)
    let read = try identity(made.pem.copy)
    #expect(read.recipient == made.recipient)
    #expect(read.secret.copy == made.secret.copy)
    #expect(try recipient(made.recipient.pem) == made.recipient)
    #expect(Base64URL.decode(made.kid)?.count == 8)
    #expect(Identity.make(kem).recipient != made.recipient)
  }

  /// RFC 7748, §6.1: Alice's keys; the texts as `openssl` writes them.
  @Test func knownKey() throws {
    let text = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VuBCIEIHcHbQpzGKV9PBbBclGyZkXfTC+H68CZKrF3+6UduSwq
      -----END PRIVATE KEY-----

      """
    let publicText = """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VuAyEAhSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=
      -----END PUBLIC KEY-----

      """
    let read = try identity(Array(text.utf8))
    #expect(
      Hex.encode(read.recipient.publicKey)
        == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
    )
    #expect(read.recipient.pem == publicText)
    #expect(read.pem.copy == Array(text.utf8))
    // First eight bytes of SHA-256 of the raw public key.
    #expect(
      read.kid == Base64URL.encode(Array(SHA256.digest(read.recipient.publicKey).bytes[..<8]))
    )
    #expect("\(read)" == "Identity(\(read.kid))")
  }

  private static let openssl = (try? ChildProcess.run("/usr/bin/openssl", ["version"]))?.status == 0

  @Test(
    .enabled(if: openssl, "skipped: /usr/bin/openssl is absent"),
    arguments: [
      ["-algorithm", "X25519"],
      ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    ]
  )
  func opensslKeys(_ algorithm: [String]) throws {
    let pem = try ChildProcess.run("/usr/bin/openssl", ["genpkey"] + algorithm).output
    let made = try identity(pem)
    let publicPEM = try ChildProcess.run("/usr/bin/openssl", ["pkey", "-pubout"], input: pem)
    #expect(publicPEM.outputText == made.recipient.pem)
    #expect(made.pem.copy == pem)
    let der = try ChildProcess.run("/usr/bin/openssl", ["pkey", "-outform", "DER"], input: pem)
    #expect(KeyNature(of: der.output.span) == .derKey)
    let text = try ChildProcess.run("/usr/bin/openssl", ["pkey", "-text"], input: pem).output
    #expect(try identity(text).kid == made.kid, "words around the PEM mean nothing")
    let locked = try ChildProcess.run(
      "/usr/bin/openssl",
      ["pkey", "-aes256", "-passout", "pass:x"],
      input: pem
    )
    #expect(throws: KeyFault(.encryptedPrivateKey)) { try identity(locked.output) }
    let crlf = Array(String(decoding: pem, as: UTF8.self).replacing("\n", with: "\r\n").utf8)
    #expect(try identity(crlf).kid == made.kid)
  }

  @Test(
    .enabled(if: openssl, "skipped: /usr/bin/openssl is absent"),
    arguments: [
      (["-algorithm", "ED25519"], KeyNature.otherKey),
      (["-algorithm", "X448"], .otherKey),
      (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"], .damagedPEM),
      (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], .otherKey),
    ]
  )
  func foreignKeys(_ algorithm: [String], _ nature: KeyNature) throws {
    let pem = try ChildProcess.run("/usr/bin/openssl", ["genpkey"] + algorithm).output
    #expect(throws: KeyFault(nature)) { try identity(pem) }
  }

  @Test(.enabled(if: openssl, "skipped: /usr/bin/openssl is absent"))
  func traditionalKeys() throws {
    let pem = try ChildProcess.run(
      "/usr/bin/openssl",
      ["ecparam", "-genkey", "-name", "prime256v1"]
    ).output
    #expect(throws: KeyFault(.traditionalPrivateKey)) { try identity(pem) }
  }

  @Test func wrongKindsAreNamed() throws {
    let made = Identity.make(.x25519)
    #expect(throws: KeyFault(.publicKey)) { try identity(Array(made.recipient.pem.utf8)) }
    #expect(throws: KeyFault(.privateKey)) {
      try recipient(String(decoding: made.pem.copy, as: UTF8.self))
    }
    #expect(throws: KeyFault(.byteOrderMark)) { try identity([0xEF, 0xBB, 0xBF] + made.pem.copy) }
    #expect(throws: KeyFault(.empty)) { try identity([]) }
  }

  @Test func aPublicKeyThatIsNotThePrivateKeysIsRefused() throws {
    let one = Identity.make(.p256)
    let other = Identity.make(.p256)
    let mixed = KeyEncoding.writePrivateKey(
      .p256,
      one.secret,
      publicKey: other.recipient.publicKey
    )
    let pem = PEM.encode(PEM.privateKey, mixed.bytes)
    #expect(throws: KeyFault(.damagedPEM)) { try identity(pem.copy) }
  }

  @Test func pointsOfLowOrderAreNoRecipients() {
    let der = KeyEncoding.writePublicKey(.x25519, [UInt8](repeating: 0, count: 32))
    let pem = PEM.encode(PEM.publicKey, der.span)
    #expect(throws: KeyFault(.damagedPEM)) {
      try recipient(String(decoding: pem.copy, as: UTF8.self))
    }
  }

  @Test(arguments: 0..<100)
  func base64(_ count: Int) throws {
    var generator = SeededGenerator()
    let bytes = generator.bytes(count)
    let text = PEM.encode("DATA", bytes.span).copy
    let block = try #require(PEM.blocks(in: text.span).first)
    #expect(block.label == "DATA")
    let body = Array(text[block.body])
    #expect(PEM.decode(body.span)?.copy == bytes)
    let lines = String(decoding: body, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropLast().allSatisfy { $0.utf8.count == 64 })
  }

  @Test(arguments: ["A", "AB", "AB=", "AB==A", "A===", "AB!=", "AA==AA==", "AB==", "AAB="])
  func base64OfNothing(_ text: String) {
    let text = Array(text.utf8)
    #expect(PEM.decode(text.span) == nil)
  }
}
