import RasdCrypto
import RasdModel

/// The part of verifying that goes entry by entry, in file order, on one thread.
struct Walk: ~Copyable {
  private let file: ExportFile
  /// Where blobs may be passed over, the inventory says nothing of those that came.
  private let isProof: Bool
  /// What is sealed was proved under a key; what is not may have changed since.
  private let hashesRows: Bool
  private var streams: StreamCheck
  private var ledger = BlobLedger()
  private var result = Verification()
  /// Of blobs that were passed.
  private var blobParts = 0
  private var rowsHash = SHA256()
  /// The blob whose parts are being hashed together.
  private var blob: BlobID?
  private var blobHash = SHA256()

  /// A walk that proves the export whole or, from an entry on, one that only decodes it.
  init(_ reader: ExportReader, decodingFrom start: Int? = nil) {
    let first = start ?? 0
    file = reader.file
    isProof = start == nil
    hashesRows = isProof || first == 0 && reader.manifest.suite == .none
    streams = StreamCheck(reader.manifest)
    result.tables = reader.manifest.tables.map { EndRecord.Table(name: $0.text) }
  }

  /// Takes an entry by its name alone.
  mutating func pass(_ name: EntryName, at offset: Int) {
    add(streams.pass(name, at: offset))
    switch name {
    case .rows(let table, _):
      if let i = result.tables.firstIndex(where: { $0.name == table }) {
        result.tables[i].parts += 1
      }
    case .blob: blobParts += 1
    default: break
    }
  }

  var firstFailure: RasdError? { result.failures.first }

  mutating func take<Rows: Sendable, Blob: Sendable>(
    _ entry: EntryResult<Rows, Blob>,
    _ onRows: (RowsPart, Rows) throws(RasdError) -> Void,
    _ onBlob: (BlobPart, Span<UInt8>, Blob?) throws(RasdError) -> Void
  ) throws(RasdError) {
    switch entry.outcome {
    case .rows(let part, let rows):
      let isSound = follow(part, rows: rows.count, rows.endsInLine, entry.offset)
      guard let i = result.tables.firstIndex(where: { $0.name == rows.part.table.text }) else {
        return
      }
      result.tables[i].rows += rows.count
      result.tables[i].parts += 1
      result.tables[i].bytes += part.range.count
      if hashesRows { rowsHash.update(part.body) }
      for claim in rows.claims { ledger.add(claim.claim, of: claim.id) }
      if isSound { try onRows(rows.part, rows.made) }
    case .inventory(let part, let lines):
      _ = follow(part, rows: lines.records.count, lines.endsInLine, entry.offset)
      if hashesRows { rowsHash.update(part.body) }
      for record in lines.records where isProof {
        if let failure = ledger.take(record, from: part.name) { result.add(failure) }
      }
    case .blob(let part, let id, let whole):
      let isSound = follow(part, rows: 0, true, entry.offset)
      guard let facts = take(part, id, whole?.sha256, isSound, entry.index) else { return }
      try onBlob(facts, part.body, whole?.made)
    case .single(let part):
      add(streams.takeSingle(part.name, at: entry.offset))
      takeSingle(part, entry.offset)
    case .manifest(let name, let bytes):
      add(streams.takeSingle(name, at: entry.offset))
      if bytes != file.manifest.bytes {
        result.add(
          RasdError(.corrupt, .manifestAltered, RasdError.place(name, entry.offset))
        )
      }
    case .damaged(let name, let failure):
      result.add(failure)
      if let name { add(streams.takeDamaged(name, at: entry.offset)) }
    case .unwanted(let name): streams.skip(name)
    }
  }

  /// What verifying comes to once all entries were taken.
  mutating func finish() -> Verification {
    add(streams.finish())
    for id in ledger.missing(butFor: streams.damagedBlobs) {
      result.add(ExportFile.missing(.blob(id: id, part: 0)))
    }
    if !streams.hasDamagedRows {
      for id in ledger.unlisted { result.add(BlobLedger.mismatch(id)) }
    }
    result.blobs = ledger.totals
    result.badBlobs = ledger.badBlobs
    if let end = result.end { compare(end) }
    return result
  }

  /// Throws what is missing after all entries were passed by their names.
  mutating func finishRoll(_ end: EndRecord) throws(RasdError) {
    add(streams.finish())
    compareParts(end)
    if let firstFailure { throw firstFailure }
  }

  /// Throws what is missing after decoding; gives the digest of all rows of a plaintext export
  /// that was read from its start.
  mutating func finishDecoding() throws(RasdError) -> SHA256Digest? {
    if let failure = streams.finish().first { throw failure }
    return hashesRows ? rowsHash.finish() : nil
  }

  // MARK: - Entries

  /// Whether the part stands where it should.
  private mutating func follow(
    _ part: OpenedPart,
    rows: Int,
    _ endsInLine: Bool,
    _ offset: Int
  ) -> Bool {
    let failures = streams.take(
      StreamCheck.Facts(
        name: part.name,
        header: part.header,
        rows: rows,
        endsInLine: endsInLine,
        offsetInFile: offset
      )
    )
    add(failures)
    return failures.isEmpty
  }

  /// What the consumer is told of a blob's part; nil for one that is out of place.
  private mutating func take(
    _ part: OpenedPart,
    _ id: BlobID,
    _ wholeDigest: SHA256Digest?,
    _ isSound: Bool,
    _ index: Int
  ) -> BlobPart? {
    let header = part.header
    ledger.addPart(bytes: header.decodedSize)
    guard isSound else {
      blob = nil
      return nil
    }
    var digest = wholeDigest
    if digest == nil {
      if header.offset == 0 {
        // Whatever an unfinished blob before it left.
        _ = blobHash.finish()
        blob = id
      }
      if blob == id {
        blobHash.update(part.body)
        if header.isLast { digest = blobHash.finish() }
      }
    }
    if let digest, !streams.damagedBlobs.contains(id) {
      let parts = (part.name.part ?? 0) + 1
      let failure = ledger.add(id, bytes: header.end, parts: parts, sha256: digest)
      if let failure { result.add(failure) }
    }
    return BlobPart(
      id: id,
      name: part.name,
      entry: index,
      offset: header.offset,
      bytes: header.decodedSize,
      sha256: digest
    )
  }

  private mutating func takeSingle(_ part: OpenedPart, _ offset: Int) {
    let header = part.header
    if !header.isLast || header.offset != 0 || header.rowsBefore != 0 {
      result.add(RasdError(.integrity, .partOrder, RasdError.place(part.name, offset)))
    }
    do throws(RasdError) {
      switch part.name {
      case .meta: result.meta = ExportMeta(try ExportReader.meta(of: part.body))
      case .end: result.end = try EndRecord(part.body)
      default: break
      }
    } catch {
      result.add(error)
    }
  }

  // MARK: - The end record

  /// Holds what was counted against what the export says; what damage made uncountable is left.
  private mutating func compare(_ end: EndRecord) {
    if end.exportID != file.manifest.exportID.text { addMismatch("exportId") }
    if end.entries != file.entries.count - 2 { addMismatch("entries") }
    if streams.damagedBlobs.isEmpty, end.blobs != ledger.totals { addMismatch("blobs") }
    guard !streams.hasDamagedRows else { return }
    if end.tables != result.tables { addMismatch("tables") }
    if end.rows != result.tables.reduce(0, { $0 + $1.rows }) { addMismatch("rows") }
    if end.rowsDigest != rowsHash.finish() {
      result.add(RasdError(.integrity, .totalHashMismatch, RasdError.place(.end)))
    }
  }

  /// Holds the parts that are there against those that the export had when it was proved.
  private mutating func compareParts(_ end: EndRecord) {
    if end.entries != file.entries.count - 2 { addMismatch("entries") }
    if end.blobs.parts != blobParts { addMismatch("blobs") }
    let parts = result.tables.map { EndRecord.Table(name: $0.name, parts: $0.parts) }
    if end.tables.map({ EndRecord.Table(name: $0.name, parts: $0.parts) }) != parts {
      addMismatch("tables")
    }
  }

  private mutating func addMismatch(_ member: String) {
    var details = RasdError.place(.end)
    details["member"] = .text(member)
    result.add(RasdError(.integrity, .countMismatch, details))
  }

  private mutating func add(_ failures: [RasdError]) {
    for failure in failures { result.add(failure) }
  }
}
