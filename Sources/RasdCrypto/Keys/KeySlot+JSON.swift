package import RasdModel

extension KeySlot {
  /// In one manifest.
  package static let countBounds = 1...32

  /// The slots of a manifest, all of them by the rules or none.
  package static func read(_ json: JSONValue?) throws(RasdError) -> [KeySlot] {
    guard let items = json?.array, countBounds.contains(items.count) else {
      throw RasdError(.integrity, .manifestInvalid, ["member": "slots"])
    }
    var slots: [KeySlot] = []
    for (index, item) in items.enumerated() {
      guard let slot = KeySlot(item) else {
        let member = RasdError.Detail.text("slots[\(index)]")
        throw RasdError(.integrity, .manifestInvalid, ["member": member])
      }
      slots.append(slot)
    }
    return slots
  }

  /// One slot; nil where it breaks its rules, which unknown types and HPKE numbers do not.
  package init?(_ json: JSONValue) {
    guard let type = json["type"]?.string else { return nil }
    switch Kind(rawValue: type) {
    case .passphrase:
      guard let iterations = json["iterations"]?.number.flatMap(Self.iterations),
        let salt = json.bytes("salt", count: PassphraseSlot.saltSize),
        let wrapped = json.bytes("wrapped", count: Self.wrappedSize)
      else { return nil }
      self = .passphrase(PassphraseSlot(iterations: iterations, salt: salt, wrapped: wrapped))
    case .key:
      guard let kid = json["kid"]?.string, RawKeySlot.kidSizes.contains(kid.utf8.count),
        let wrapped = json.bytes("wrapped", count: Self.wrappedSize + kid.utf8.count)
      else { return nil }
      self = .key(RawKeySlot(kid: kid, wrapped: wrapped))
    case .hpke:
      guard let kemNumber = json["kem"]?.int, let kdf = json["kdf"]?.int,
        let aead = json["aead"]?.int
      else { return nil }
      guard let kem = UInt16(exactly: kemNumber).flatMap(KEM.init(rawValue:)),
        kdf == HPKE.kdf, aead == HPKE.aead
      else {
        self = .unknown("\(type) \(kemNumber)/\(kdf)/\(aead)")
        return
      }
      guard let kid = json["kid"]?.string,
        Base64URL.decode(kid)?.count == Recipient.kidSize,
        let enc = json.bytes("enc", count: kem.publicKeySize),
        let wrapped = json.bytes("wrapped", count: HPKESlot.wrappedSize)
      else { return nil }
      self = .hpke(HPKESlot(kem: kem, kid: kid, enc: enc, wrapped: wrapped))
    case nil:
      self = .unknown(type)
    }
  }

  /// What a manifest says of the slot; an unknown one is not written.
  package var json: JSONValue? {
    switch self {
    case .passphrase(let slot):
      [
        "type": .string(Kind.passphrase.rawValue),
        "iterations": .number(JSONNumber(slot.iterations)),
        "salt": .string(Base64URL.encode(slot.salt)),
        "wrapped": .string(Base64URL.encode(slot.wrapped)),
      ]
    case .key(let slot):
      [
        "type": .string(Kind.key.rawValue),
        "kid": .string(slot.kid),
        "wrapped": .string(Base64URL.encode(slot.wrapped)),
      ]
    case .hpke(let slot):
      [
        "type": .string(Kind.hpke.rawValue),
        "kem": .number(JSONNumber(Int64(slot.kem.rawValue))),
        "kdf": .number(JSONNumber(Int64(HPKE.kdf))),
        "aead": .number(JSONNumber(Int64(HPKE.aead))),
        "kid": .string(slot.kid),
        "enc": .string(Base64URL.encode(slot.enc)),
        "wrapped": .string(Base64URL.encode(slot.wrapped)),
      ]
    case .unknown: nil
    }
  }

  /// A whole number; one beyond the exact range of doubles is out of bounds in any case.
  private static func iterations(_ number: JSONNumber) -> Int64? {
    if let integer = number.integer { return integer }
    return number.double.magnitude >= 0x1p53 ? .max : nil
  }
}

extension JSONValue {
  /// The bytes of a member in base64url, exactly so many.
  fileprivate func bytes(_ name: String, count: Int) -> [UInt8]? {
    guard let text = self[name]?.string, let bytes = Base64URL.decode(text), bytes.count == count
    else { return nil }
    return bytes
  }
}
