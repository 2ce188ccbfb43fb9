import RasdContainer
import RasdModel
import RasdReport
import RasdStore

/// One export on its way into the store.
final class Intake {
  private let session: SourceSession
  private let export: OpenedExport
  private let merger: Merger
  private let reader: ExportReader
  private let inventory: [BlobRecord]
  /// Ids of blobs that are not what their row or the inventory says.
  private let bad: Set<BlobID>
  private let mimes: [BlobID: String]
  /// Where an earlier run stopped.
  private let start: SourceCursor
  private var next: SourceCursor
  private var rows = 0
  private var blobBytes = 0
  private var writer: BlobWriter?

  init(
    session: SourceSession,
    export: OpenedExport,
    merger: Merger,
    badBlobs: [Verification.BadBlob]?
  ) throws(RasdError) {
    self.session = session
    self.export = export
    self.merger = merger
    reader = try export.reader()
    inventory = try reader.inventory()
    mimes = Dictionary(
      inventory.compactMap { record in record.mime.map { (record.id, $0) } },
      uniquingKeysWith: { first, _ in first }
    )
    start = session.cursor
    next = start
    if let badBlobs {
      bad = Set(badBlobs.map(\.id))
      for blob in badBlobs {
        try session.quarantine(
          blob: SealedBlob(sha256: blob.sha256, bytes: blob.bytes),
          id: blob.id.text,
          reason: .blobHashMismatch
        )
        try merger.run.find(blob: blob, in: export)
      }
    } else {
      // An earlier run proved the source, and put these aside in its first batch.
      bad = Set(try session.quarantinedBlobs().compactMap { BlobID($0) })
    }
  }

  /// Takes rows and blobs from where an earlier run stopped to the end.
  func takeAll() throws(RasdError) {
    let vault = merger.store.vault
    let wanted = Set(
      inventory.filter { record in
        session.wantsBlob(id: record.id.text) && !bad.contains(record.id)
          && !vault.contains(record.sha256)
      }.map(\.id)
    )
    try holdWhatIsThere(apartFrom: wanted)
    // Past the manifest: the next run need not prove the source again.
    if next == SourceCursor() { next = SourceCursor(entry: 1) }
    try commit()

    let rules = RowRules(
      namespace: export.namespace,
      isStoreExport: session.isOfStore,
      strictForms: merger.strictForms
    )
    let digest = try reader.decode(
      from: start.entry,
      workers: merger.run.rules.jobs,
      isWanted: { wanted.contains($0) },
      makeRows: rules.makeReader,
      onRows: { (part: RowsPart, rows: [ReadRow]) throws(RasdError) in try take(part, rows) },
      onBlob: { (part, bytes) throws(RasdError) in try take(part, bytes) }
    )
    if let digest, let end = export.end, digest != end.rowsDigest {
      throw RasdError(.unavailable, .sourceChanged)
    }
    try session.finish()
    try merger.run.flush()
  }

  // MARK: - Rows

  private func take(_ part: RowsPart, _ rows: [ReadRow]) throws(RasdError) {
    let first = part.entry == start.entry ? start.row : 0
    for (index, row) in rows.enumerated() where index >= first {
      let line = part.rowsBefore + index + 1
      if let receipt = try take(row, of: part.table, line: line) {
        try report(receipt, row, part, line: line)
      }
      self.rows += 1
      next = SourceCursor(entry: part.entry, row: index + 1)
      if self.rows == Merger.batchRows { try commit() }
    }
    next = SourceCursor(entry: part.entry + 1)
    advance(past: part.entry, rows: rows.count)
  }

  private func take(
    _ row: ReadRow,
    of table: TableName,
    line: Int
  ) throws(RasdError) -> RowReceipt? {
    switch row {
    case .row(let prepared): try session.add(prepared)
    case .observation(let observation): try session.add(observation, number: line)
    case .rejected(let rejection, let text):
      try session.reject(table, line: line, rejection, text: text)
    }
  }

  /// Reports a row that is news, or any where all are asked for.
  private func report(
    _ receipt: RowReceipt,
    _ row: ReadRow,
    _ part: RowsPart,
    line: Int
  ) throws(RasdError) {
    let run = merger.run
    switch receipt.outcome {
    case .rejected, .conflict: break
    default: guard run.rules.rows == .all else { return }
    }
    var error = receipt.reason.map { RasdError(.integrity, $0) }
    if case .rejected(let rejection, _) = row {
      error = rejection.error
      error?.details["key"] = nil
    }
    var event = RowEvent(
      table: receipt.table,
      key: receipt.key.map(run.shade.json),
      outcome: receipt.outcome,
      provenance: Provenance(
        identity: export.identity,
        entry: String(decoding: part.name.bytes, as: UTF8.self),
        line: line
      )
    )
    if receipt.outcome == .rejected { event.error = error } else { event.reason = receipt.reason }
    if case .row(let prepared) = row { event.hash = prepared.row.hash }
    try run.emit(event)
  }

  // MARK: - Blobs

  /// Records that the source delivered blobs whose bytes the vault has already.
  private func holdWhatIsThere(apartFrom wanted: Set<BlobID>) throws(RasdError) {
    for record in inventory
    where !wanted.contains(record.id) && !bad.contains(record.id)
      && session.wantsBlob(id: record.id.text)
    {
      try hold(SealedBlob(sha256: record.sha256, bytes: record.bytes), record.id)
      rows += 1
      if rows == Merger.batchRows { try commit() }
    }
  }

  private func take(_ part: BlobPart, _ bytes: Span<UInt8>) throws(RasdError) {
    if part.offset == 0 { writer = try merger.store.vault.writer() }
    try writer?.write(bytes)
    advance(past: part.entry, rows: 0)
    guard part.sha256 != nil, let writer = writer.take() else { return }
    let blob = try writer.finish()
    try hold(blob, part.id)
    next = SourceCursor(entry: part.entry + 1)
    blobBytes += blob.bytes
    if blobBytes >= Merger.batchBytes { try commit() }
  }

  private func hold(_ blob: SealedBlob, _ id: BlobID) throws(RasdError) {
    let isNew = try session.hold(blob, id: id.text, mime: mimes[id])
    guard isNew, merger.run.rules.rows == .all else { return }
    try merger.run.emit(
      BlobEvent(
        id: id.text,
        sha256: blob.sha256,
        bytes: blob.bytes,
        outcome: .held,
        provenance: Provenance(identity: export.identity)
      )
    )
  }

  // MARK: - Batches

  private func commit() throws(RasdError) {
    try session.commit(at: next)
    rows = 0
    blobBytes = 0
    try merger.run.flush()
    try merger.run.interrupt.check()
  }

  private func advance(past entry: Int, rows: Int) {
    let bytes = reader.file.entries[entry].size
    merger.run.bytes += bytes
    merger.run.progress.advance(merged: bytes, rows: rows)
  }
}
