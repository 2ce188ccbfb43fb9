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
  private var blob: BlobStream?
  private let key: ContentKey?
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

  /// A blob whose bytes are being gathered.
  private struct BlobStream: ~Copyable {
    let id: BlobID
    let mime: String?
    var buffer: [UInt8] = []
    var part = 0
    var offset = 0
    var hash = SHA256()
  }

  /// Throws `output-exists` where something stands at the path and `replacing` is not set,
  /// `manifest-invalid` for a draft that breaks the rules.
  package convenience init(
    to path: String,
    _ draft: ExportDraft,
    replacing: Bool = false,
    sizes: PartSizes = PartSizes()
  ) throws(RasdError) {
    try self.init(draft, sizes) { () throws(RasdError) in
      try OutputFile(path, replacing: replacing)
    }
  }

  /// Writes into a file without a name on a folder's file system, for `readBack` alone: a process
  /// that is killed leaves nothing of it.
  package convenience init(
    namelessIn folder: String,
    _ draft: ExportDraft
  ) throws(RasdError) {
    try self.init(draft, PartSizes()) { () throws(RasdError) in
      try OutputFile(namelessIn: folder)
    }
  }

  private init(
    _ draft: ExportDraft,
    _ sizes: PartSizes,
    _ open: () throws(RasdError) -> OutputFile
  ) throws(RasdError) {
    let key = draft.suite == .none ? nil : ContentKey.make()
    self.key = key
    manifest = try draft.manifest(sealedWith: key)
    meta = draft.meta
    self.sizes = sizes
    file = try open()
    parts = PartWriter(ZipWriter(file), manifest, key)
    try parts.addPlain(.manifest, manifest.bytes)
    try parts.add(.meta, PartHeader(isLast: true, decodedSize: 0), meta.text.span)
  }

  /// Appends a row, its text without an LF, to a table at hand or a later one.
  package func write(_ row: Span<UInt8>, to table: TableName) throws(RasdError) {
    try enter(table)
    try append(row, to: table.text)
  }

  // MARK: - Blobs

  /// Begins a blob, whose bytes come with `append`.
  package func beginBlob(_ id: BlobID, mime: String?) throws(RasdError) {
    try leaveTables()
    guard blob == nil, inventoryIDs.insert(id).inserted else {
      throw RasdError(.integrity, .unsafeContainer, ["blob": .text(id.text)])
    }
    blob = BlobStream(id: id, mime: mime)
  }

  /// Appends bytes to the blob that was begun.
  package func append(_ bytes: Span<UInt8>) throws(RasdError) {
    var rest = bytes
    while !rest.isEmpty, let held = blob?.buffer.count {
      // Only when more comes is it known that a full part is not the last one.
      if held == sizes.blobs {
        try flushBlob(isLast: false)
        continue
      }
      let count = min(rest.count, sizes.blobs - held)
      blob?.buffer.append(bytes: rest.extracting(..<count))
      rest = rest.extracting(count...)
    }
  }

  /// Ends the blob and gives its line of the inventory.
  @discardableResult
  package func endBlob() throws(RasdError) -> BlobRecord? {
    try flushBlob(isLast: true)
    guard var ended = blob.take() else { return nil }
    let record = BlobRecord(
      id: ended.id,
      bytes: ended.offset,
      parts: ended.part,
      sha256: ended.hash.finish(),
      mime: ended.mime
    )
    inventory.append(record)
    blobs.count += 1
    blobs.bytes += record.bytes
    blobs.parts += record.parts
    return record
  }

  private func flushBlob(isLast: Bool) throws(RasdError) {
    guard let bytes = blob?.buffer, let part = blob?.part, let offset = blob?.offset,
      let id = blob?.id
    else { return }
    blob?.hash.update(bytes.span)
    let header = PartHeader(isLast: isLast, decodedSize: bytes.count, offset: offset)
    try parts.add(.blob(id: id, part: part), header, bytes.span)
    blob?.part += 1
    blob?.offset += bytes.count
    blob?.buffer.removeAll(keepingCapacity: true)
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

  /// Opens what was written, to read it back, without a recipient's key.
  package func readBack() throws(RasdError) -> ExportReader {
    ExportReader(try ExportFile(source), contentKey: key)
  }

  /// The bytes of what was written.
  package var source: ByteSource { file.source }

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
}
