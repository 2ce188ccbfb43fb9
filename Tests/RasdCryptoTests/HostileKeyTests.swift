import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

/// Every form of key a person may hand over, damaged at random: whatever comes, an answer does.
@Suite struct HostileKeyTests {
  private static func damage(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      guard !bytes.isEmpty else {
        return generator.bytes(Int.random(in: 0...80, using: &generator))
      }
      let at = Int.random(in: bytes.indices, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: bytes.remove(at: at)
      case 2: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: at)
      case 3: bytes.removeSubrange(at...)
      case 4: bytes.removeSubrange(..<at)
      default: bytes.insert(contentsOf: bytes[at...].prefix(40), at: at)
      }
    }
    return bytes
  }

  @Test func keysAsText() throws {
    var generator = SeededGenerator()
    let identities = KEM.allCases.map(Identity.make)
    let texts =
      identities.map(\.pem.copy) + identities.map { Array($0.recipient.pem.utf8) }
      + [Array(String(repeating: "0f", count: 32).utf8), Array("pass\u{301}phrase\n".utf8)]
    let known = Set(identities.map(\.kid))
    for _ in 0..<Soak.rounds(short: 2_000, long: 200_000) {
      let text = Self.damage(texts.randomElement(using: &generator) ?? [], &generator)
      _ = KeyNature(of: text.span)
      if let identity = try? Identity(pem: text.span) {
        // What is read is whole: written again it is read as the same.
        let pem = identity.pem
        #expect(try Identity(pem: pem.bytes).recipient == identity.recipient)
      }
      if let recipient = try? Recipient(pem: text.span), !known.contains(recipient.kid) {
        #expect(KeyExchange.isUsable(recipient.kem, publicKey: recipient.publicKey))
      }
      if let key = try? RawKey(text.span) { #expect(key.secret.count == 32) }
      if let passphrase = try? Passphrase(text.span) {
        #expect(passphrase.normalized.count > 0)
        let normalized = passphrase.normalized.copy
        let form = NormalForm.c(of: normalized.span)
        #expect(form?.copy == normalized, "the normal form of a normal form is itself")
      }
    }
  }

  @Test func keysAsDER() {
    var generator = SeededGenerator()
    let identities = KEM.allCases.map(Identity.make)
    let texts = identities.flatMap {
      [
        KeyEncoding.writePrivateKey($0.recipient.kem, $0.secret, publicKey: $0.recipient.publicKey)
          .copy, KeyEncoding.writePublicKey($0.recipient.kem, $0.recipient.publicKey),
      ]
    }
    var read = 0
    for _ in 0..<Soak.rounds(short: 20_000, long: 2_000_000) {
      let text = Self.damage(texts.randomElement(using: &generator) ?? [], &generator)
      if let key = try? KeyEncoding.readPublicKey(text.span) {
        #expect(key.1.count == key.0.publicKeySize)
        read += 1
      }
      if let key = try? KeyEncoding.readPrivateKey(text.span) {
        #expect(key.secret.count == 32)
        read += 1
      }
    }
    #expect(read > 0, "damage to the key's own bytes leaves its form whole")
  }

  @Test func slots() throws {
    let fixture = try SlotFixture()
    let json = JSONValue.array(try fixture.slots().compactMap(\.json)).text
    var generator = SeededGenerator()
    let credentials = fixture.credentials(.key, .hpke)
    var whole = 0
    for _ in 0..<Soak.rounds(short: 2_000, long: 200_000) {
      let text = Self.damage(json, &generator)
      guard let value = try? JSONValue.parse(text) else { continue }
      do throws(RasdError) {
        let slots = try KeySlot.read(value)
        let unlocked = try fixture.unlock(slots, credentials)
        #expect(unlocked.contentKey.secret.copy == fixture.content.secret.copy)
        whole += 1
      } catch {
        let expected: [Reason] = [.manifestInvalid, .wrongKey, .noMatchingSlot]
        #expect(expected.contains(error.reason))
      }
    }
    #expect(whole > 0, "damage to one slot leaves the others")
  }

  @Test func rings() throws {
    let ring = Array(
      #"{"keys":[{"namespace":"wfp-jo.*","passphraseFile":"a"},{"namespace":"b","keyFile":"/c","bind":true}]}"#
        .utf8
    )
    var generator = SeededGenerator()
    for _ in 0..<Soak.rounds(short: 5_000, long: 200_000) {
      let text = Self.damage(ring, &generator)
      guard let read = try? KeyRing(text, directory: "d/") else { continue }
      #expect(read.entries.allSatisfy { !$0.file.path.isEmpty })
    }
  }
}
