package import RasdCrypto
package import RasdModel

/// What is known of an export before its first row is written.
package struct ExportDraft: Sendable {
  package var exportID: ExportID
  package var namespace: Namespace
  /// RFC 3339, UTC.
  package var exportedAt: String
  /// Each has its entry, an empty one too; rows are written in this order.
  package var tables: [TableName]
  package var storageVersion = Manifest.storageVersion
  /// A label for people.
  package var encryptedTo: String?
  /// The members of `meta.json`.
  package var meta: JSONValue
  package var suite: Suite
  /// Who can open it; none under suite `none`, 1 to 32 else.
  package var recipients: [ExportRecipient]

  package init(
    exportID: ExportID,
    namespace: Namespace,
    exportedAt: String,
    tables: [TableName],
    meta: JSONValue = .object([]),
    suite: Suite = .chunked,
    recipients: [ExportRecipient],
    encryptedTo: String? = nil
  ) {
    self.exportID = exportID
    self.namespace = namespace
    self.exportedAt = exportedAt
    self.tables = tables
    self.meta = meta
    self.suite = suite
    self.recipients = recipients
    self.encryptedTo = encryptedTo
  }

  /// The manifest's bytes, which a reader's rules are put to before anything is written.
  func manifest(sealedWith key: ContentKey?) throws(RasdError) -> Manifest {
    var members: [JSONValue.Member] = [
      .init("rasdx", 1),
      .init("rasd", "1.0"),
      .init("exportId", .string(exportID.text)),
      .init("storageVersion", .number(JSONNumber(storageVersion))),
      .init("namespace", .string(namespace.text)),
      .init("exportedAt", .string(exportedAt)),
      .init("tables", .array(tables.map { .string($0.text) })),
    ]
    if let key {
      var slots: [JSONValue] = []
      for recipient in recipients {
        if let slot = try recipient.slot(of: key, exportID).json { slots.append(slot) }
      }
      if let encryptedTo { members.append(.init("encryptedTo", .string(encryptedTo))) }
      members.append(.init("suite", .string(suite.rawValue)))
      let commitment = Base64URL.encode(key.commitment(for: exportID))
      members.append(.init("keyCommit", .string(commitment)))
      members.append(.init("slots", .array(slots)))
    } else {
      members.append(.init("suite", .string(suite.rawValue)))
    }
    return try Manifest(JSONValue.object(members).text)
  }
}

/// Whoever an export is sealed for: each gets a slot that opens it alone.
package enum ExportRecipient: Sendable {
  case passphrase(Passphrase, iterations: Int = PassphraseSlot.iterationsWritten)
  case rawKey(RawKey, kid: String? = nil)
  case publicKey(Recipient)

  /// A slot that wraps a key for this recipient alone.
  ///
  /// - Throws: `key-file-invalid` for a public key that allows no secret.
  package func slot(of key: ContentKey, _ id: ExportID) throws(RasdError) -> KeySlot {
    switch self {
    case .passphrase(let passphrase, let iterations):
      return .passphrase(PassphraseSlot(key, of: id, for: passphrase, iterations: iterations))
    case .rawKey(let rawKey, let kid):
      return .key(RawKeySlot(key, of: id, for: rawKey, kid: kid))
    case .publicKey(let recipient):
      guard let slot = HPKESlot(key, of: id, for: recipient) else {
        throw RasdError(.unavailable, .keyFileInvalid, ["nature": "public key of low order"])
      }
      return .hpke(slot)
    }
  }
}
