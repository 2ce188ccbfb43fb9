import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

@Suite struct HPKETests {
  /// RFC 9180, A.1.1 and A.3.1: base mode of the two curves, its keys for AES-128.
  struct Example: Sendable {
    let kem: KEM
    let ephemeral: String
    let recipient: String
    let enc: String
    let publicKey: String
    let key: String
    let nonce: String
  }

  static let examples = [
    Example(
      kem: .x25519,
      ephemeral: "52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736",
      recipient: "4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8",
      enc: "37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431",
      publicKey: "3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d",
      key: "4531685d41d65f03dc48f6b8302c05b0",
      nonce: "56d890e5accaaf011cff4b7d"
    ),
    Example(
      kem: .p256,
      ephemeral: "4995788ef4b9d6132b249ce59a77281493eb39af373d236a1fe415cb0c2d7beb",
      recipient: "f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2",
      enc: """
        04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325a
        c98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4
        """,
      publicKey: """
        04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a
        826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0
        """,
      key: "868c066ef58aae6dc589b6cfdd18f97e",
      nonce: "4e0bc5018beba4bf004cca59"
    ),
  ]

  @Test(arguments: examples)
  func rfc9180(_ example: Example) throws {
    let info = Array("Ode on a Grecian Urn".utf8)
    let ephemeral = hex(example.ephemeral)
    let recipient = hex(example.recipient)
    let enc = hex(example.enc)
    let publicKey = hex(example.publicKey)
    #expect(KeyExchange.publicKey(example.kem, of: ephemeral.span) == enc)
    #expect(KeyExchange.publicKey(example.kem, of: recipient.span) == publicKey)
    let sender = KeyExchange.agree(example.kem, secret: ephemeral.span, publicKey: publicKey.span)
    let receiver = KeyExchange.agree(example.kem, secret: recipient.span, publicKey: enc.span)
    let shared = try #require(sender)
    #expect(receiver?.copy == shared.copy)
    let (key, nonce) = HPKE.schedule(
      example.kem,
      shared: shared,
      enc: enc,
      publicKey: publicKey,
      info: info.span,
      aead: 1,
      keySize: 16
    )
    #expect(key.copy == hex(example.key))
    #expect(nonce.copy == hex(example.nonce))
  }

  @Test(arguments: KEM.allCases)
  func everyChangedByteIsRefused(_ kem: KEM) throws {
    let identity = Identity.make(kem)
    let info = Array("info".utf8)
    let aad = Array("aad".utf8)
    let message = Array("message".utf8)
    func open(_ ciphertext: [UInt8], _ enc: [UInt8], _ info: [UInt8], _ aad: [UInt8]) -> [UInt8]? {
      HPKE.open(ciphertext.span, enc: enc, with: identity, info: info.span, aad: aad.span)?.copy
    }
    let made = HPKE.seal(message.span, to: identity.recipient, info: info.span, aad: aad.span)
    let sealed = try #require(made)
    #expect(sealed.enc.count == kem.publicKeySize)
    #expect(open(sealed.ciphertext, sealed.enc, info, aad) == message)
    for (_, changed) in flips(sealed.ciphertext) {
      #expect(open(changed, sealed.enc, info, aad) == nil)
    }
    for (_, changed) in flips(sealed.enc) {
      #expect(open(sealed.ciphertext, changed, info, aad) == nil)
    }
    #expect(open(sealed.ciphertext, sealed.enc, aad, aad) == nil)
    #expect(open(sealed.ciphertext, sealed.enc, info, info) == nil)
    #expect(open([], sealed.enc, info, aad) == nil)
    #expect(open(sealed.ciphertext, [], info, aad) == nil)
    let another = Identity.make(kem)
    #expect(
      HPKE.open(
        sealed.ciphertext.span,
        enc: sealed.enc,
        with: another,
        info: info.span,
        aad: aad.span
      ) == nil
    )
  }

  private static let peer = Python.imports(["cryptography.hazmat.primitives.hpke"])

  /// The HPKE of another library, both ways, with AES-256.
  @Test(
    .enabled(if: peer, "skipped: the Python module cryptography has no HPKE here"),
    arguments: KEM.allCases
  )
  func anotherImplementation(_ kem: KEM) throws {
    let identity = Identity.make(kem)
    let info = Array("rasdx/1 slot".utf8)
    let program = """
      import sys
      from cryptography.hazmat.primitives import serialization as S
      from cryptography.hazmat.primitives.hpke import Suite, KEM, KDF, AEAD
      suite = Suite(KEM.\(kem == .x25519 ? "X25519" : "P256"), KDF.HKDF_SHA256, AEAD.AES_256_GCM)
      key = S.load_pem_private_key(sys.argv[1].encode(), None)
      message = suite.decrypt(sys.stdin.buffer.read(), key, info=b"rasdx/1 slot")
      sys.stdout.buffer.write(suite.encrypt(message[::-1], key.public_key(), info=b"rasdx/1 slot"))
      """
    let message = Array("content key".utf8)
    let made = HPKE.seal(message.span, to: identity.recipient, info: info.span, aad: Span())
    let sealed = try #require(made)
    let pem = String(decoding: identity.pem.copy, as: UTF8.self)
    let result = try Python.run(program: program, [pem], input: sealed.enc + sealed.ciphertext)
    #expect(result.status == 0, "\(result.errorText)")
    let enc = Array(result.output.prefix(kem.publicKeySize))
    let theirs = Array(result.output.dropFirst(kem.publicKeySize))
    let opened = HPKE.open(theirs.span, enc: enc, with: identity, info: info.span, aad: Span())
    #expect(opened?.copy == message.reversed())
  }
}
