internal import RasdCrypto
package import RasdModel

/// Reads one blob part by part and proves it is what its name says.
package struct BlobReader: ~Copyable {
  private let file: File
  private let sha256: SHA256Digest
  private var seal: ChunkedSeal
  private var hash = SHA256()
  private let id: [UInt8]
  private let size: Int
  private var part = 0
  private var offset = 0
  private var isAtEnd = false
  private var proven: Bool?

  static func open(
    path: String,
    sha256: SHA256Digest,
    keys: StoreKeys
  ) throws(RasdError) -> BlobReader {
    let file = try File.open(path)
    let id = try file.read(BlobFile.idSize, at: 0)
    let size = try file.size()
    return BlobReader(file, id: id, size: size, sha256: sha256, keys: keys)
  }

  private init(
    _ file: consuming File,
    id: [UInt8],
    size: Int,
    sha256: SHA256Digest,
    keys: StoreKeys
  ) {
    self.file = file
    self.id = id
    self.size = size
    self.sha256 = sha256
    seal = ChunkedSeal(key: keys.blobs)
  }

  /// The next bytes, at most `BlobFile.partSize`; nil after the last, when all has been proved.
  ///
  /// Errors: `entry-damaged` with the part, `blob-hash-mismatch`.
  package mutating func next() throws(RasdError) -> [UInt8]? {
    guard !isAtEnd else {
      // The context starts anew when it is finished: ask once.
      let whole = proven ?? (hash.finish() == sha256)
      proven = whole
      guard whole else {
        throw RasdError(.integrity, .blobHashMismatch, ["sha256": .text(sha256.hex)])
      }
      return nil
    }
    let sealed = try file.read(
      BlobFile.sealedPartSize,
      at: BlobFile.idSize + part * BlobFile.sealedPartSize
    )
    let context = BlobFile.context(file: id, part: part)
    guard let opened = try? seal.open(sealed.span, context: context.span),
      opened.count >= BlobFile.headerSize
    else { throw damaged() }
    let length = opened.count - BlobFile.headerSize
    let isLast = opened[1] & 1 == 1
    guard
      opened.prefix(BlobFile.headerSize).elementsEqual(
        BlobFile.header(length: length, offset: offset, isLast: isLast)
      ),
      isLast || length == BlobFile.partSize
    else { throw damaged() }
    let end = BlobFile.idSize + part * BlobFile.sealedPartSize + sealed.count
    guard !isLast || end == size else { throw damaged() }
    isAtEnd = isLast
    part += 1
    offset += length
    let body = Array(opened.dropFirst(BlobFile.headerSize))
    hash.update(body.span)
    return body
  }

  private func damaged() -> RasdError {
    RasdError(
      .corrupt,
      .entryDamaged,
      ["sha256": .text(sha256.hex), "part": .number(Int64(part))]
    )
  }
}
