package import RasdCrypto
package import RasdModel

/// An export whose structure is proved and whose manifest is read: all that can be known of it
/// without a key (the format, §Verifying, up to the key).
package struct ExportFile: Sendable {
  package let source: ByteSource
  package let manifest: Manifest
  /// In file order, without the directory `attachments/`.
  package let entries: [ZipEntry]

  /// Throws `empty`, `not-an-export`, `truncated`, `unsafe-container`, `entry-missing`,
  /// `entry-damaged`, `manifest-invalid` or `unsupported-version`.
  package init(path: String) throws(RasdError) {
    try self.init(ByteSource(path: path))
  }

  package init(_ source: ByteSource) throws(RasdError) {
    self.source = source
    var rules = ExportZipRules(source: source)
    entries = try ZipDirectory(of: source, rules: &rules).entries.filter { !$0.isFolder }
    guard let first = entries.first else { throw Self.missing(.manifest) }
    var reader = EntryReader(source)
    guard try reader.name(of: first) == .manifest else { throw Self.missing(.manifest) }
    guard first.size <= Manifest.longest else {
      throw RasdError(
        .integrity,
        .manifestInvalid,
        ["member": "size", "limit": .number(Int64(Manifest.longest))]
      )
    }
    let contents = try reader.read(first)
    manifest = try Manifest([UInt8](copying: contents.bytes))
  }

  /// Opens the export with the first of the keys given that opens it.
  ///
  /// Throws `plaintext-refused`, `wrong-key`, `no-matching-slot` or `kdf-limits`.
  package func unlock(
    _ credentials: Credentials,
    plaintext: PlaintextPolicy = .refused
  ) throws(RasdError) -> ExportReader {
    guard manifest.suite != .none else {
      guard plaintext == .allowed else { throw RasdError(.unavailable, .plaintextRefused) }
      return ExportReader(self, unlocked: nil)
    }
    let unlocked = try credentials.unlock(
      manifest.slots,
      of: manifest.exportID,
      commitment: manifest.keyCommitment,
      namespace: manifest.namespace.text
    )
    return ExportReader(self, unlocked: unlocked)
  }

  static func missing(_ name: EntryName) -> RasdError {
    RasdError(.integrity, .entryMissing, ["entry": .text(name.text)])
  }
}

/// Whether an export that is not sealed may be read.
package enum PlaintextPolicy: Sendable {
  case refused, allowed
}
