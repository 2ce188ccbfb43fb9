import RasdModel
import TestSupport
import Testing

@testable import RasdCrypto

/// One key of each kind, and the slots made for it.
struct SlotFixture {
  let id: ExportID
  let content = ContentKey.make()
  let passphrase: Passphrase
  let rawKey = RawKey(SecureRandom.secret(32))
  let x25519 = Identity.make(.x25519)
  let p256 = Identity.make(.p256)

  init() throws {
    id = try #require(ExportID("0199a7c2-0000-7000-8000-0123456789ab"))
    passphrase = try Passphrase("correct horse")
  }

  var commitment: [UInt8] { content.commitment(for: id) }

  func slots() throws -> [KeySlot] {
    [
      .passphrase(PassphraseSlot(content, of: id, for: passphrase, iterations: 100_000)),
      .key(RawKeySlot(content, of: id, for: rawKey, kid: "k1")),
      .hpke(try #require(HPKESlot(content, of: id, for: x25519.recipient))),
      .hpke(try #require(HPKESlot(content, of: id, for: p256.recipient))),
    ]
  }

  /// One that holds the key for a slot's kind.
  func credentials(_ kinds: KeySlot.Kind...) -> Credentials {
    var credentials = Credentials()
    for kind in kinds {
      switch kind {
      case .passphrase: credentials.add(.passphrase(passphrase), source: "phrase")
      case .key: credentials.add(.rawKey(rawKey), source: "key")
      case .hpke:
        credentials.add(.identity(x25519), source: "x25519")
        credentials.add(.identity(p256), source: "p256")
      }
    }
    return credentials
  }

  func unlock(
    _ slots: [KeySlot],
    _ credentials: Credentials,
    namespace: String? = nil
  ) throws(RasdError) -> Credentials.Unlocked {
    try credentials.unlock(slots, of: id, commitment: commitment, namespace: namespace)
  }
}

@Suite struct KeySlotTests {
  private let fixture: SlotFixture

  init() throws { fixture = try SlotFixture() }

  @Test func eachSlotOpensTheWholeAndOnlyItsOwnKeyOpensIt() throws {
    let slots = try fixture.slots()
    let json = JSONValue.array(slots.compactMap(\.json))
    let read = try KeySlot.read(json)
    #expect(read == slots)
    for (index, slot) in read.enumerated() {
      let kind = try #require(slot.kind)
      let unlocked = try fixture.unlock([slot], fixture.credentials(kind))
      #expect(unlocked.contentKey.secret.copy == fixture.content.secret.copy)
      #expect(unlocked.slot == 0)
      for other in KeySlot.Kind.allCases where other != kind {
        #expect(throws: RasdError(.keyUnavailable, .noMatchingSlot)) {
          try fixture.unlock([slot], fixture.credentials(other))
        }
      }
      let stranger = try SlotFixture()
      #expect(
        throws: RasdError(.keyUnavailable, kind == .hpke ? .noMatchingSlot : .wrongKey),
        "slot \(index)"
      ) {
        var credentials = Credentials()
        credentials.add(.passphrase(try Passphrase("another")), source: "")
        credentials.add(.rawKey(stranger.rawKey), source: "")
        credentials.add(.identity(stranger.x25519), source: "")
        credentials.add(.identity(stranger.p256), source: "")
        _ = try fixture.unlock([slot], credentials)
      }
    }
    let all = try fixture.unlock(slots, fixture.credentials(.passphrase, .key, .hpke))
    #expect(all.candidate.source == "key", "what costs nothing comes first")
  }

  @Test func everyChangedByteIsRefused() throws {
    for slot in try fixture.slots() {
      let (members, json) = try #require(slot.json.map { ($0.members ?? [], $0) })
      let kind = try #require(slot.kind)
      for member in members where ["salt", "wrapped", "enc"].contains(member.name) {
        let bytes = try #require(member.value.string.flatMap { Base64URL.decode($0) })
        for (index, changed) in flips(bytes) {
          let altered = KeySlot(json.with(member.name, .string(Base64URL.encode(changed))))
          let read = try #require(altered)
          #expect(
            throws: RasdError(.keyUnavailable, .wrongKey),
            "\(kind) \(member.name) byte \(index)"
          ) { try fixture.unlock([read], fixture.credentials(kind)) }
        }
        for length in [bytes.dropLast(), bytes + [0], []] {
          #expect(KeySlot(json.with(member.name, .string(Base64URL.encode(Array(length))))) == nil)
        }
        #expect(KeySlot(json.with(member.name, .null)) == nil)
      }
    }
  }

  @Test func aSlotOfAnotherExportIsAWrongKey() throws {
    let other = try #require(ExportID("0199a7c2-0000-7000-8000-0123456789ac"))
    for slot in try fixture.slots() {
      let kind = try #require(slot.kind)
      #expect(throws: RasdError(.keyUnavailable, .wrongKey)) {
        try fixture.credentials(kind).unlock(
          [slot],
          of: other,
          commitment: fixture.content.commitment(for: other),
          namespace: nil
        )
      }
    }
  }

  @Test func aKeyThatFailsItsCommitmentIsAWrongKey() throws {
    let slots = try fixture.slots()
    for (_, changed) in flips(fixture.commitment) {
      #expect(throws: RasdError(.keyUnavailable, .wrongKey)) {
        try fixture.credentials(.key).unlock(
          slots,
          of: fixture.id,
          commitment: changed,
          namespace: nil
        )
      }
    }
  }

  @Test func unknownSlotsArePassedOver() throws {
    let json = try JSONValue.parse(
      Array(
        #"[{"type":"scrypt"},{"type":"hpke","kem":32,"kdf":1,"aead":3},{"type":"hpke","kem":99,"kdf":1,"aead":2}]"#
          .utf8
      )
    )
    let unknown = try KeySlot.read(json)
    #expect(unknown.allSatisfy { $0.kind == nil })
    #expect(throws: RasdError(.keyUnavailable, .noMatchingSlot)) {
      try fixture.unlock(unknown, fixture.credentials(.passphrase, .key, .hpke))
    }
    #expect(try fixture.unlock(unknown + fixture.slots(), fixture.credentials(.key)).slot == 4)
  }

  @Test(arguments: [
    #"[]"#, #"{}"#, #"null"#, #"[1]"#, #"[{}]"#, #"[{"type":1}]"#,
    #"[{"type":"key","kid":"","wrapped":"AA"}]"#,
    #"[{"type":"pbkdf2-sha256","iterations":"600000","salt":"AAAAAAAAAAAAAAAAAAAAAA","wrapped":"AA"}]"#,
    #"[{"type":"hpke","kem":"32","kdf":1,"aead":2}]"#,
  ])
  func brokenSlots(_ text: String) throws {
    let json = try JSONValue.parse(Array(text.utf8))
    #expect(throws: RasdError(.integrity, .manifestInvalid)) { try KeySlot.read(json) }
  }

  @Test func moreThan32Slots() throws {
    let slot = try #require(fixture.slots()[1].json)
    #expect(try KeySlot.read(.array(Array(repeating: slot, count: 32))).count == 32)
    #expect(throws: RasdError(.integrity, .manifestInvalid)) {
      try KeySlot.read(.array(Array(repeating: slot, count: 33)))
    }
  }

  @Test func kidsAreTextOfOneTo64Bytes() throws {
    for kid in ["k", "é", String(repeating: "x", count: 64)] {
      let slot = KeySlot.key(
        RawKeySlot(fixture.content, of: fixture.id, for: fixture.rawKey, kid: kid)
      )
      let read = try #require(slot.json.flatMap(KeySlot.init))
      #expect(try fixture.unlock([read], fixture.credentials(.key)).slot == 0)
    }
    let slot = RawKeySlot(fixture.content, of: fixture.id, for: fixture.rawKey)
    #expect(slot.kid == fixture.rawKey.fingerprint)
  }

  // MARK: - Limits

  private func passphraseSlot(iterations: Int64) throws -> KeySlot {
    let json = try #require(fixture.slots()[0].json)
    return try #require(KeySlot(json.with("iterations", .number(JSONNumber(iterations)))))
  }

  @Test(arguments: [-1, 0, 99_999, 10_000_001, 9_007_199_254_740_991])
  func iterationsOutOfBoundsAreNotTried(_ iterations: Int64) throws {
    let slot = try passphraseSlot(iterations: iterations)
    #expect(throws: RasdError(.unavailable, .kdfLimits)) {
      try fixture.unlock([slot], fixture.credentials(.passphrase))
    }
    // They are no obstacle to who needs no passphrase, or has a slot within bounds.
    let slots = [slot] + (try fixture.slots())
    #expect(try fixture.unlock(slots, fixture.credentials(.key)).slot == 2)
    #expect(try fixture.unlock(slots, fixture.credentials(.passphrase)).slot == 1)
    #expect(throws: RasdError(.keyUnavailable, .noMatchingSlot)) {
      try fixture.unlock([slot], fixture.credentials(.key))
    }
  }

  @Test func iterationsOfAllSlotsAreLimited() throws {
    // Each within bounds, one too many together: the second is not tried.
    let wrong = try passphraseSlot(iterations: 100_001)
    let slots = [wrong, try passphraseSlot(iterations: 9_900_000)]
    #expect(throws: RasdError(.unavailable, .kdfLimits)) {
      try fixture.unlock(slots, fixture.credentials(.passphrase))
    }
    #expect(
      try fixture.unlock([wrong] + fixture.slots(), fixture.credentials(.passphrase)).slot == 1
    )
  }

  @Test func iterationsThatAreNoInteger() throws {
    let json = try #require(fixture.slots()[0].json)
    let half = try #require(JSONNumber(600_000.5))
    #expect(KeySlot(json.with("iterations", .number(half))) == nil)
    let huge = try #require(JSONNumber(1e300))
    let slot = try #require(KeySlot(json.with("iterations", .number(huge))))
    #expect(throws: RasdError(.unavailable, .kdfLimits)) {
      try fixture.unlock([slot], fixture.credentials(.passphrase))
    }
  }

  // MARK: - Another implementation

  @Test(.containerTools)
  func anotherImplementationOpensOurs() throws {
    let manifest: JSONValue = [
      "exportId": .string(fixture.id.text),
      "keyCommit": .string(Base64URL.encode(fixture.commitment)),
      "slots": .array(try fixture.slots().compactMap(\.json)),
    ]
    let program = """
      import sys, json, uuid, rasdx
      from cryptography.hazmat.primitives import serialization as S
      m = json.load(sys.stdin)
      eid = uuid.UUID(m["exportId"]).bytes
      x, p = (S.load_pem_private_key(a.encode(), None) for a in sys.argv[2:4])
      slots = m["slots"]
      for i, keys in enumerate([{"passphrases": ["correct horse"]}, {"keys": [bytes.fromhex(sys.argv[1])]},
                                {"identities": [x]}, {"identities": [p]}]):
          m["slots"] = [slots[i]]
          print(rasdx.unlock(m, eid, **keys).hex())
      """
    let pems = [fixture.x25519, fixture.p256].map { String(decoding: $0.pem.copy, as: UTF8.self) }
    let result = try Python.run(
      program: program,
      [Hex.encode(fixture.rawKey.secret.copy)] + pems,
      input: manifest.text
    )
    let expected = Hex.encode(fixture.content.secret.copy)
    #expect(result.lines == Array(repeating: expected, count: 4), "\(result.errorText)")
  }

  @Test(.containerTools)
  func weOpenAnotherImplementations() throws {
    let program = """
      import sys, json, uuid, hashlib, rasdx
      from cryptography.hazmat.primitives import serialization as S
      eid = uuid.UUID(sys.argv[1])
      cek = bytes.fromhex(sys.argv[2])
      key = bytes.fromhex(sys.argv[3])
      aad = b"rasdx-slot/" + sys.argv[1].encode()
      kek = hashlib.pbkdf2_hmac("sha256", b"correct horse", b"s" * 16, 100000, 32)
      slots = [{"type": "pbkdf2-sha256", "iterations": 100000, "salt": rasdx.b64(b"s" * 16),
                "wrapped": rasdx.b64(rasdx.envelope(kek, b"", cek, aad, b"i" * 12))},
               {"type": "key", "kid": "k1", "wrapped": rasdx.b64(rasdx.envelope(key, b"k1", cek, aad, b"i" * 12))}]
      for pem in sys.argv[4:]:
          slots.append(rasdx.hpke_slot(S.load_pem_public_key(pem.encode()), cek, eid.bytes, b"\\x11" * 32))
      print(json.dumps({"slots": slots, "keyCommit": rasdx.b64(rasdx.commitment(cek, eid.bytes))}))
      """
    let result = try Python.run(
      program: program,
      [
        fixture.id.text,
        Hex.encode(fixture.content.secret.copy),
        Hex.encode(fixture.rawKey.secret.copy),
        fixture.x25519.recipient.pem,
        fixture.p256.recipient.pem,
      ]
    )
    let json = try JSONValue.parse(result.output)
    #expect(json["keyCommit"]?.string == Base64URL.encode(fixture.commitment))
    let slots = try KeySlot.read(json["slots"])
    #expect(slots.count == 4)
    for slot in slots {
      let kind = try #require(slot.kind)
      let unlocked = try fixture.unlock([slot], fixture.credentials(kind))
      #expect(unlocked.contentKey.secret.copy == fixture.content.secret.copy)
    }
  }
}

extension JSONValue {
  /// The object with another value for one member.
  func with(_ name: String, _ value: JSONValue) -> JSONValue {
    .object((members ?? []).map { $0.name == name ? Member(name, value) : $0 })
  }
}
