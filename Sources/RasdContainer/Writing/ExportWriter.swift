import RasdCrypto
package import RasdModel

/// Writes an export, rows and blobs as they come, in memory of one part (the format, all of it).
///
/// Rows first, table by table in the draft's order, then blobs, then `finish`. The file appears
/// under its name when it is complete; a writer let go of before leaves nothing.
package final class ExportWriter {
  /// Where rows are cut: what a reader decodes at once.
  package static let rowsPart = 256 << 10
  /// Where blobs are cut.
  package static let blobPart = 4 << 20

  package let manifest: Manifest
  private let file: OutputFile
  private let meta: JSONValue
  private var parts: PartWriter
  private let sizes: PartSizes
  private var tables: [EndRecord.Table] = []
  private var blobs = EndRecord.Blobs()
  private var inventory: [BlobRecord] = []
  private var inventoryIDs: Set<BlobID> = []
  private var rowsHash = SHA256()
  private var stream: RowsStream?
  private var isInBlobs = false

  /// Smaller parts are for tests.
  package struct PartSizes: Sendable {
    package var rows = ExportWriter.rowsPart
    package var blobs = ExportWriter.blobPart

    package init(rows: Int = ExportWriter.rowsPart, blobs: Int = ExportWriter.blobPart) {
      (self.rows, self.blobs) = (rows, blobs)
    }
  }

  /// A table whose rows are being gathered.
  private struct RowsStream {
    let name: EntryName
    var buffer: [UInt8] = []
    var part = 0
    var offset = 0
    var rowsBefore = 0
    var rows = 0
  }

  /// Throws `output-exists` where something stands at the path and `replacing` is not set,
  /// `manifest-invalid` for a draft that breaks the rules.
  package init(
    to path: String,
    _ draft: ExportDraft,
    replacing: Bool = false,
    sizes: PartSizes = PartSizes()
  ) throws(RasdError) {
    let key = draft.suite == .none ? nil : ContentKey.make()
    manifest = try draft.manifest(sealedWith: key)
    meta = draft.meta
    self.sizes = sizes
    file = try OutputFile(path, replacing: replacing)
    parts = PartWriter(ZipWriter(file), manifest, key)
    try parts.addPlain(.manifest, manifest.bytes)
    try parts.add(.meta, PartHeader(isLast: true, decodedSize: 0), meta.text.span)
  }

  /// Appends a row, its text without an LF, to a table at hand or a later one.
  package func write(_ row: Span<UInt8>, to table: TableName) throws(RasdError) {
    try enter(table)
    try append(row, to: table.text)
  }

  /// Writes a blob out of what `next` gives: the bytes that follow, at most as many as asked
  /// for, none at the end.
  package func writeBlob(
    _ id: BlobID,
    mime: String?,
    _ next: (Int) throws(RasdError) -> [UInt8]
  ) throws(RasdError) -> BlobRecord {
    try leaveTables()
    guard inventoryIDs.insert(id).inserted else {
      throw RasdError(.integrity, .unsafeContainer, ["blob": .text(id.text)])
    }
    var hash = SHA256()
    var (part, offset) = (0, 0)
    var body = try fill([], next)
    while true {
      // A part says whether it is the last one: the next must have been tried for.
      let following = body.count == sizes.blobs ? try fill([], next) : []
      hash.update(body.span)
      let header = PartHeader(
        isLast: following.isEmpty,
        decodedSize: body.count,
        offset: offset
      )
      try parts.add(.blob(id: id, part: part), header, body.span)
      part += 1
      offset += body.count
      guard !following.isEmpty else { break }
      body = following
    }
    let record = BlobRecord(
      id: id,
      bytes: offset,
      parts: part,
      sha256: hash.finish(),
      mime: mime
    )
    inventory.append(record)
    blobs.count += 1
    blobs.bytes += offset
    blobs.parts += part
    return record
  }

  /// Writes the inventory, the end record and the manifest's copy, and gives the file its name.
  package func finish() throws(RasdError) -> EndRecord {
    try leaveTables()
    stream = RowsStream(name: .rows(table: EntryName.inventory, part: 0))
    for record in inventory { try append(record.json.text.span, to: EntryName.inventory) }
    try closeStream()
    let end = EndRecord(
      exportID: manifest.exportID.text,
      tables: tables,
      rows: tables.reduce(0) { $0 + $1.rows },
      blobs: blobs,
      entries: parts.entries,
      rowsDigest: rowsHash.finish()
    )
    try parts.add(.end, PartHeader(isLast: true, decodedSize: 0), end.json.text.span)
    try parts.addPlain(.manifestCopy, manifest.bytes)
    try parts.finish()
    try file.commit()
    return end
  }

  // MARK: - Rows

  /// Ends the tables before this one, empty ones too.
  private func enter(_ table: TableName) throws(RasdError) {
    if case .rows(let name, _)? = stream?.name, name == table.text { return }
    guard !isInBlobs,
      let position = manifest.tables.firstIndex(of: table), position >= tables.count
    else {
      throw RasdError(.integrity, .partOrder, ["table": .text(table.text)])
    }
    try closeStream()
    while tables.count < position { try writeEmptyTable() }
    guard position == tables.count else {
      throw RasdError(.integrity, .partOrder, ["table": .text(table.text)])
    }
    stream = RowsStream(name: .rows(table: table.text, part: 0))
  }

  private func leaveTables() throws(RasdError) {
    guard !isInBlobs else { return }
    try closeStream()
    while tables.count < manifest.tables.count { try writeEmptyTable() }
    isInBlobs = true
  }

  private func writeEmptyTable() throws(RasdError) {
    stream = RowsStream(name: .rows(table: manifest.tables[tables.count].text, part: 0))
    try closeStream()
  }

  private func append(_ row: Span<UInt8>, to table: String) throws(RasdError) {
    let size = row.count + 1
    guard size <= PartHeader.longestBody, Lines.next(in: row, from: 0) == nil else {
      throw RasdError(
        .integrity,
        .rowInvalid,
        ["table": .text(table), "bytes": .number(Int64(row.count)), "fault": "too-long"]
      )
    }
    if let waiting = stream?.buffer.count, waiting > 0, waiting + size > sizes.rows {
      try flush(isLast: false)
    }
    stream?.buffer.append(bytes: row)
    stream?.buffer.append(UInt8(ascii: "\n"))
    stream?.rows += 1
  }

  private func flush(isLast: Bool) throws(RasdError) {
    guard let ready = stream else { return }
    let header = PartHeader(
      isLast: isLast,
      decodedSize: ready.buffer.count,
      offset: ready.offset,
      rowsBefore: ready.rowsBefore
    )
    rowsHash.update(ready.buffer.span)
    try parts.addDeflated(ready.name.with(part: ready.part), header, ready.buffer.span)
    stream?.part += 1
    stream?.offset += ready.buffer.count
    stream?.rowsBefore = ready.rows
    stream?.buffer.removeAll(keepingCapacity: true)
  }

  private func closeStream() throws(RasdError) {
    guard stream != nil else { return }
    try flush(isLast: true)
    if let ended = stream, case .rows(let table, _) = ended.name,
      table != EntryName.inventory
    {
      tables.append(
        EndRecord.Table(
          name: table,
          rows: ended.rows,
          parts: ended.part,
          bytes: ended.offset
        )
      )
    }
    stream = nil
  }

  private func fill(
    _ start: [UInt8],
    _ next: (Int) throws(RasdError) -> [UInt8]
  ) throws(RasdError) -> [UInt8] {
    var body = start
    while body.count < sizes.blobs {
      let more = try next(sizes.blobs - body.count)
      guard !more.isEmpty else { break }
      body += more
    }
    return body
  }
}
