internal import RasdCrypto
package import RasdModel

/// Writes one blob as its bytes come; unless finished, nothing of it stays.
package struct BlobWriter: ~Copyable {
  private let vault: BlobVault
  private let spool: SpoolFile
  private let id: [UInt8]
  private var seal: ChunkedSeal
  private var hash = SHA256()
  /// A part's header and the bytes of it so far.
  private var part: [UInt8] = []
  private var parts = 0
  private var bytes = 0

  static func begin(_ vault: BlobVault) throws(RasdError) -> BlobWriter {
    let id = SecureRandom.bytes(BlobFile.idSize)
    let spool = SpoolFile(try File.create("\(vault.directory.spool)/\(Hex.encode(id))"))
    try spool.file.write(id.span)
    return BlobWriter(vault, spool, id)
  }

  private init(_ vault: BlobVault, _ spool: SpoolFile, _ id: [UInt8]) {
    self.vault = vault
    self.spool = spool
    self.id = id
    seal = ChunkedSeal(key: vault.keys.blobs)
    beginPart()
  }

  package mutating func write(_ data: Span<UInt8>) throws(RasdError) {
    hash.update(data)
    try append(data)
  }

  /// Takes bytes that somebody else hashes.
  mutating func append(_ data: Span<UInt8>) throws(RasdError) {
    var rest = data
    while rest.count > 0 {
      let room = BlobFile.headerSize + BlobFile.partSize - part.count
      if room == 0 {
        try endPart(isLast: false)
        continue
      }
      let count = min(room, rest.count)
      part.append(bytes: rest.extracting(..<count))
      bytes += count
      rest = rest.extracting(count...)
    }
  }

  /// Ends the blob; `BlobVault.sync` makes it safe on disk and gives it its name.
  package consuming func finish() throws(RasdError) -> SealedBlob {
    let vault = vault
    let sha256 = hash.finish()
    return try vault.accept(seal(sha256: sha256))
  }

  /// Ends a blob that should be one that is known; nil, and nothing stays, where it is another.
  package consuming func finish(as expected: SHA256Digest) throws(RasdError) -> SealedBlob? {
    guard hash.finish() == expected else { return nil }
    let vault = vault
    return try vault.accept(seal(sha256: expected))
  }

  /// Ends the blob, known by its hash; the vault is still to accept it.
  consuming func seal(sha256: SHA256Digest) throws(RasdError) -> WrittenBlob {
    try endPart(isLast: true)
    spool.file.beginSync()
    return WrittenBlob(spool: spool, sha256: sha256, bytes: bytes)
  }

  private mutating func beginPart() {
    part.removeAll(keepingCapacity: true)
    part.append(contentsOf: repeatElement(0, count: BlobFile.headerSize))
  }

  private mutating func endPart(isLast: Bool) throws(RasdError) {
    let length = part.count - BlobFile.headerSize
    part.replaceSubrange(
      ..<BlobFile.headerSize,
      with: BlobFile.header(length: length, offset: bytes - length, isLast: isLast)
    )
    let context = BlobFile.context(file: id, part: parts)
    let plaintext = exchange(&part, with: [])
    let sealed = seal.seal(plaintext.span, context: context.span)
    part = plaintext
    try spool.file.write(sealed.span)
    parts += 1
    beginPart()
  }
}

/// A blob that stands in the vault.
package struct SealedBlob: Hashable, Sendable {
  package let sha256: SHA256Digest
  package let bytes: Int

  package init(sha256: SHA256Digest, bytes: Int) {
    self.sha256 = sha256
    self.bytes = bytes
  }
}
