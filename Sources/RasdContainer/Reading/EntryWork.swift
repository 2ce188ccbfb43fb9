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
struct EntryResult<Rows: Sendable>: Sendable {
  let index: Int
  /// Of the entry in the file.
  let offset: Int
  let outcome: Outcome

  enum Outcome: Sendable {
    case rows(OpenedPart, TableRows)
    case inventory(OpenedPart, InventoryLines)
    /// The digest where the blob has no other part.
    case blob(OpenedPart, BlobID, digest: SHA256Digest?)
    case single(OpenedPart)
    case manifest(EntryName, [UInt8])
    /// Without a name where not even that could be read.
    case damaged(EntryName?, RasdError)
    /// A blob that the consumer has no use for.
    case unwanted(EntryName)
  }

  struct TableRows: Sendable {
    let part: RowsPart
    let endsInLine: Bool
    let made: Rows
    let claims: [Claim]

    var count: Int { part.rows }
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
struct EntryWorker<Rows: Sendable>: ~Copyable {
  private let file: ExportFile
  private var opener: PartOpener
  private var rowReader = RowReader(sha256: SHA256.digest)
  private let makeRows: (RowsPart, Span<UInt8>) -> Rows
  private let isWanted: (@Sendable (BlobID) -> Bool)?

  init(
    _ reader: ExportReader,
    isWanted: (@Sendable (BlobID) -> Bool)?,
    makeRows: @escaping (RowsPart, Span<UInt8>) -> Rows
  ) {
    file = reader.file
    opener = reader.opener()
    self.makeRows = makeRows
    self.isWanted = isWanted
  }

  mutating func work(_ index: Int) -> EntryResult<Rows> {
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
  ) throws(RasdError) -> EntryResult<Rows>.Outcome {
    switch name {
    case .manifest, .manifestCopy:
      return .manifest(name, try opener.bytes(of: entry))
    case .blob(let id, _):
      if let isWanted, !isWanted(id) { return .unwanted(name) }
      let part = try opener.open(entry)
      let isWhole = part.header.isLast && part.header.offset == 0
      return .blob(part, id, digest: isWhole ? SHA256.digest(part.body) : nil)
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
  ) -> EntryResult<Rows>.Outcome {
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
    let rows = EntryResult<Rows>.TableRows(
      part: facts,
      endsInLine: body.endsInLine,
      made: makeRows(facts, body),
      claims: table == .attachments ? claims(in: body) : []
    )
    return .rows(part, rows)
  }

  private mutating func claims(in body: Span<UInt8>) -> [EntryResult<Rows>.Claim] {
    var claims: [EntryResult<Rows>.Claim] = []
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
