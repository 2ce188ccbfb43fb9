/// What a file of a folder of evidence is, told by its bytes; its name only settles doubts.
package enum EvidenceKind: Hashable, Sendable {
  case database
  case wal
  case journal
  /// The shared-memory index of a WAL: nothing in it that the WAL does not say.
  case sharedMemory
  /// Photos, keys, notes: whatever is no part of a database.
  case other

  package static func of(_ store: ByteStore, name: String) -> EvidenceKind {
    let head = store.bytes(at: 0, count: 512)
    if head.starts(with: DatabaseHeader.magic) { return .database }
    if isSharedMemory(head.span, name) { return .sharedMemory }
    if head.starts(with: JournalFile.magic) { return .journal }
    if let header = WALHeader(head.span), header.isSound { return .wal }
    if head.count < 512 || isFamiliar(head) { return .other }
    // From here on damaged headers and ciphertext.
    if let wal = WALFile.open(store, pageSizes: []), name.hasSuffix("wal") || wal.provesItself {
      return .wal
    }
    // Before journals, whose sums are weak; a journal's own pages don't lie a page apart.
    if !name.hasSuffix("journal"), let plain = PlainTrial(store: store, pageSize: nil).find(),
      plain.sound > 0, plain.sound * 2 >= plain.looked
    {
      return .database
    }
    if let journal = JournalFile.open(store, pageSizes: []),
      name.hasSuffix("journal") || journal.provesItself
    {
      return .journal
    }
    return looksLikeDatabase(store, name) ? .database : .other
  }

  private static func isSharedMemory(_ head: Span<UInt8>, _ name: String) -> Bool {
    // Two copies of a 48-byte header in the machine's own order, of which the first word is the
    // version (SQLite, walformat.html).
    guard head.count >= 96 else { return name.hasSuffix("-shm") }
    let version = head.u32(0)
    let isVersion = version == WALFile.version || version.byteSwapped == WALFile.version
    return (isVersion && head.u32(48) == version) || name.hasSuffix("-shm")
  }

  /// Beginnings of files that are as random as ciphertext behind them.
  private static func isFamiliar(_ head: [UInt8]) -> Bool {
    let beginnings: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), Array("PK".utf8),
      Array("%PDF".utf8), Array("RIFF".utf8), Array("OggS".utf8), Array("ID3".utf8),
      [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD], Array("-----BEGIN".utf8),
    ]
    return beginnings.contains { head.starts(with: $0) }
      || head.dropFirst(4).starts(with: Array("ftyp".utf8))
  }

  /// Ciphertext whose length is whole pages or whose name is a database's; or wiped at the front.
  private static func looksLikeDatabase(_ store: ByteStore, _ name: String) -> Bool {
    let lower = name.lowercased()
    let isNamed = [".db", ".sqlite", ".sqlite3", ".db3"].contains { lower.contains($0) }
    let middle = store.bytes(at: store.size / 2, count: 1_024)
    let isRandom = Set(middle).count > 150
    return isNamed || (isRandom && store.size % 512 == 0)
  }
}

extension WALFile {
  /// Whether frames continue each other, which no other bytes do.
  var provesItself: Bool { frames.count { $0.link == .holds } >= 2 }
}

extension JournalFile {
  var provesItself: Bool { records.count { $0.checksumHolds == true } >= 2 }
}
