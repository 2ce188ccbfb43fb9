import RasdCrypto
package import RasdModel

/// A part of a table's rows, as a consumer sees it.
package struct RowsPart: Sendable {
  package let table: TableName
  package let name: EntryName
  /// The entry's number in the file: where reading may go on later.
  package let entry: Int
  /// Rows of the table before this part; the part's first line is this row.
  package let rowsBefore: Int
  package let rows: Int
  /// Decoded bytes of the table before this part.
  package let offset: Int
  package let bytes: Int
}

/// A part of a blob, as a consumer sees it.
///
/// One whose last part does not come, or comes without a hash, is not all there.
package struct BlobPart: Sendable {
  package let id: BlobID
  package let name: EntryName
  /// The entry's number in the file; reading goes on later at a blob's first part.
  package let entry: Int
  /// Bytes of the blob before this part.
  package let offset: Int
  package let bytes: Int
  /// The whole blob's, with its last part.
  package let sha256: SHA256Digest?
}

/// What a worker made of one entry.
struct EntryResult<Rows: Sendable, Blob: Sendable>: Sendable {
  let index: Int
  /// Of the entry in the file.
  let offset: Int
  let outcome: Outcome

  enum Outcome: Sendable {
    case rows(OpenedPart, TableRows)
    case inventory(OpenedPart, InventoryLines)
    case blob(OpenedPart, BlobID, WholeBlob?)
    case single(OpenedPart)
    case manifest(EntryName, [UInt8])
    /// Without a name where not even that could be read.
    case damaged(EntryName?, RasdError)
    /// A blob that the consumer has no use for.
    case unwanted(EntryName)
  }

  /// Bytes of memory that it takes, about: rows hold their texts and facts beside the part.
  var held: Int {
    switch outcome {
    case .rows(let part, _): part.buffer.count * 3
    case .inventory(let part, _), .blob(let part, _, _), .single(let part): part.buffer.count
    case .manifest(_, let bytes): bytes.count
    case .damaged, .unwanted: 0
    }
  }

  struct TableRows: Sendable {
    let part: RowsPart
    let endsInLine: Bool
    let made: Rows
    let claims: [Claim]

    var count: Int { part.rows }
  }

  /// A blob that has no other part.
  struct WholeBlob: Sendable {
    let sha256: SHA256Digest
    /// Nil where nothing is made of blobs.
    let made: Blob?
  }

  struct InventoryLines: Sendable {
    let endsInLine: Bool
    let records: [BlobRecord?]
  }

  /// What an attachment's row says of its blob.
  struct Claim: Sendable {
    let id: BlobID
    let claim: BlobClaim
  }
}

/// Turns an export's entries into what is needed of them, on a thread of its own.
struct EntryWorker<Rows: Sendable, Blob: Sendable>: ~Copyable {
  private let file: ExportFile
  private var opener: PartOpener
  private var rowReader = RowReader(sha256: SHA256.digest)
  private let makeRows: (RowsPart, Span<UInt8>) -> Rows
  private let makeBlob: ((Span<UInt8>, SHA256Digest) -> Blob)?
  private let isWanted: (@Sendable (BlobID) -> Bool)?

  init(
    _ reader: ExportReader,
    isWanted: (@Sendable (BlobID) -> Bool)?,
    makeRows: @escaping (RowsPart, Span<UInt8>) -> Rows,
    makeBlob: ((Span<UInt8>, SHA256Digest) -> Blob)?
  ) {
    file = reader.file
    opener = reader.opener()
    self.makeRows = makeRows
    self.makeBlob = makeBlob
    self.isWanted = isWanted
  }

  mutating func work(_ index: Int) -> EntryResult<Rows, Blob> {
    let entry = file.entries[index]
    var name: EntryName?
    do throws(RasdError) {
      let known = try opener.name(of: entry)
      name = known
      return EntryResult(
        index: index,
        offset: entry.offset,
        outcome: try open(entry, known, index)
      )
    } catch {
      return EntryResult(index: index, offset: entry.offset, outcome: .damaged(name, error))
    }
  }

  private mutating func open(
    _ entry: ZipEntry,
    _ name: EntryName,
    _ index: Int
  ) throws(RasdError) -> EntryResult<Rows, Blob>.Outcome {
    switch name {
    case .manifest, .manifestCopy:
      return .manifest(name, try opener.bytes(of: entry))
    case .blob(let id, _):
      if let isWanted, !isWanted(id) { return .unwanted(name) }
      let part = try opener.open(entry)
      guard part.header.isLast, part.header.offset == 0 else { return .blob(part, id, nil) }
      let sha256 = SHA256.digest(part.body)
      guard let makeBlob else { return .blob(part, id, .init(sha256: sha256, made: nil)) }
      let made = makeBlob(part.body, sha256)
      return .blob(part.withoutBody, id, .init(sha256: sha256, made: made))
    case .rows(EntryName.inventory, _):
      let part = try opener.open(entry)
      var records: [BlobRecord?] = []
      Lines.forEach(in: part.body) { records.append(BlobRecord(line: $0)) }
      return .inventory(part, .init(endsInLine: part.body.endsInLine, records: records))
    case .rows(let text, _):
      guard let table = TableName(text) else {
        throw ZipFlaw.unlistedTable.error(entry: name.bytes)
      }
      return rows(try opener.open(entry), of: table, index)
    case .meta, .end, .folder:
      return .single(try opener.open(entry))
    }
  }

  private mutating func rows(
    _ part: OpenedPart,
    of table: TableName,
    _ index: Int
  ) -> EntryResult<Rows, Blob>.Outcome {
    let body = part.body
    let facts = RowsPart(
      table: table,
      name: part.name,
      entry: index,
      rowsBefore: part.header.rowsBefore,
      rows: Lines.count(in: body),
      offset: part.header.offset,
      bytes: body.count
    )
    let rows = EntryResult<Rows, Blob>.TableRows(
      part: facts,
      endsInLine: body.endsInLine,
      made: makeRows(facts, body),
      claims: table == .attachments ? claims(in: body) : []
    )
    return .rows(part, rows)
  }

  private mutating func claims(in body: Span<UInt8>) -> [EntryResult<Rows, Blob>.Claim] {
    var claims: [EntryResult<Rows, Blob>.Claim] = []
    Lines.forEach(in: body) { line in
      let row = try? rowReader.read(
        line: line,
        table: .attachments,
        namespace: file.manifest.namespace
      )
      if case .attachment(let facts) = row?.facts, let id = BlobID(facts.id) {
        claims.append(.init(id: id, claim: facts.claim))
      }
    }
    return claims
  }
}

extension Span<UInt8> {
  fileprivate var endsInLine: Bool { isEmpty || self[count - 1] == UInt8(ascii: "\n") }
}
