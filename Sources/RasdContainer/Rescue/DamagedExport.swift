package import RasdCrypto
package import RasdModel

/// What a rescue hands over, in file order; what a line or a piece is worth is for the taker.
package protocol RescueTaker {
  /// A line of a table, without its LF; `number` counts from 0 in its table.
  mutating func row(_ line: Span<UInt8>, _ table: TableName, _ place: RescuePlace, number: Int)
    throws(RasdError)
  /// Bytes of a blob at an offset of it.
  mutating func blob(_ bytes: Span<UInt8>, _ id: BlobID, _ place: RescuePlace, offset: Int)
    throws(RasdError)
}

/// Where something rescued stood, and whether its seal proves it.
package struct RescuePlace: Hashable, Sendable {
  package let entry: EntryName
  /// Of the entry's bytes in the file.
  package let offset: Int
  /// False under suite `none`, where nothing proves a part but its CRC-32.
  package let isSealed: Bool
}

/// An export of which some is lost, cut, overwritten or altered (the format, §Salvage): every part
/// that opens, the rows and bytes before the damage of those that open in part, and an account of
/// what is missing.
package struct DamagedExport: Sendable {
  package let source: ByteSource
  package let manifest: Manifest
  /// Whether the manifest is there whole, at its place or as its copy.
  package let manifestIsWhole: Bool
  /// Other manifests that it may be an export of, where this one opens nothing.
  private let others: [Manifest]

  /// Throws `empty`, or `not-an-export` where no manifest is left to open anything with.
  package init(path: String) throws(RasdError) {
    try self.init(ByteSource(path: path, failures: .zeros))
  }

  package init(_ source: ByteSource) throws(RasdError) {
    guard source.size > 0 else { throw RasdError(.corrupt, .empty) }
    guard let found = try ManifestFinder.find(in: source) else {
      throw RasdError(.corrupt, .notAnExport)
    }
    self.source = source
    (manifest, manifestIsWhole, others) = (found.manifest, found.isWhole, found.others)
  }

  private init(_ source: ByteSource, _ manifest: Manifest) {
    (self.source, self.manifest, manifestIsWhole, others) = (source, manifest, true, [])
  }

  /// Hands over everything that opens with one of the keys given, and says what is missing.
  ///
  /// Throws `wrong-key`, `no-matching-slot`, `kdf-limits`, `plaintext-refused`, and what `taker`
  /// throws; damage is no error.
  package func rescue(
    _ credentials: Credentials,
    plaintext: PlaintextPolicy,
    into taker: inout some RescueTaker
  ) throws(RasdError) -> RescueAccount {
    guard manifest.suite != .none else {
      guard plaintext == .allowed else { throw RasdError(.unavailable, .plaintextRefused) }
      return try rescue(contentKey: nil, into: &taker)
    }
    var export = self
    let unlocked: Credentials.Unlocked
    do throws(RasdError) {
      unlocked = try export.unlock(credentials)
    } catch {
      guard let other = unlockOther(credentials) else { throw error }
      (export, unlocked) = other
    }
    var account = try export.rescue(contentKey: unlocked.contentKey, into: &taker)
    account.isBound = unlocked.candidate.isBound
    return account
  }

  private func unlock(_ credentials: Credentials) throws(RasdError) -> Credentials.Unlocked {
    try credentials.unlock(
      manifest.slots,
      of: manifest.exportID,
      commitment: manifest.keyCommitment,
      namespace: manifest.namespace.text
    )
  }

  /// The same file by another of its manifests that opens.
  private func unlockOther(
    _ credentials: Credentials
  ) -> (DamagedExport, Credentials.Unlocked)? {
    for other in others {
      let export = DamagedExport(source, other)
      if let unlocked = try? export.unlock(credentials) { return (export, unlocked) }
    }
    return nil
  }

  func rescue(
    contentKey: ContentKey?,
    into taker: inout some RescueTaker
  ) throws(RasdError) -> RescueAccount {
    let lost = try LostEntries(in: source)
    var opener = RescueOpener(self, contentKey)
    var account = RescueAccount(tables: manifest.tables)
    for entry in lost.inOrder() {
      switch entry.name {
      case .manifest, .manifestCopy, .folder: continue
      default: break
      }
      var entry = entry
      var part = try opener.open(entry)
      try account.add(part, entry, into: &taker, isSealed: manifest.suite != .none)
      while let known = part, let hidden = lost.hidden(behind: entry, from: known.end) {
        // A guess that does not open whole was no entry, so nothing is lost with it.
        guard let next = try opener.open(hidden), next.isWhole else { break }
        try account.add(next, hidden, into: &taker, isSealed: manifest.suite != .none)
        (entry, part) = (hidden, next)
      }
    }
    return account
  }
}
