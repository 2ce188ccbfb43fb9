import RasdContainer
import RasdModel
import RasdReport
import RasdStore

/// One export on its way into the store.
final class Intake {
  private let batches: Batches
  private let session: SourceSession
  private let export: OpenedExport
  private let merger: Merger
  private let reader: ExportReader
  private let inventory: [BlobRecord]
  private let mimes: [BlobID: String]
  /// Ids of blobs that are not what their row or the inventory says.
  private let bad: Set<BlobID>
  /// Ids of host assets, whose bytes are left where they are.
  private let assets: Set<BlobID>
  /// Where an earlier run stopped.
  private let start: SourceCursor
  private var writer: BlobWriter?
  private let counting: Merger.Counting

  init(
    session: SourceSession,
    export: OpenedExport,
    merger: Merger,
    badBlobs: [Verification.BadBlob]?,
    counting: Merger.Counting
  ) throws(RasdError) {
    batches = Batches(session, identity: export.identity, bytes: export.bytes, merger.run)
    self.session = session
    self.export = export
    self.merger = merger
    self.counting = counting
    start = session.cursor
    reader = try export.reader()
    inventory = try reader.inventory()
    // Only a row says whether it is one; most exports have no such id.
    let mayHaveAssets = inventory.contains { AttachmentFacts.mayBeHostAsset($0.id.text) }
    let leavesThem = !session.takesHostAssets && !session.isOfStore
    assets = mayHaveAssets && leavesThem ? try reader.hostAssets() : []
    mimes = inventory.mimes
    if let badBlobs, start == SourceCursor() {
      bad = Set(badBlobs.map(\.id))
      for blob in badBlobs {
        try session.quarantine(
          blob: SealedBlob(sha256: blob.sha256, bytes: blob.bytes),
          id: blob.id.text,
          reason: .blobHashMismatch
        )
        try merger.run.emit(blob.event(in: export))
        merger.run.leaveOut()
      }
    } else {
      // An earlier run put these aside in its first batch.
      bad = Set(try session.quarantinedBlobs().compactMap { BlobID($0) })
    }
  }

  /// Takes rows and blobs from where an earlier run stopped to the end.
  func takeAll() throws(RasdError) {
    let vault = merger.store.vault
    // In a dry run blobs are counted as held and not written.
    let writes = merger.run.rules.writing == .real
    let wanted = Set(
      inventory.filter { writes && takes($0.id) && !vault.holds($0.sha256, bytes: $0.bytes) }
        .map(\.id)
    )
    // Past the manifest: the next run need not prove the source again.
    if start == SourceCursor() { batches.pass(to: SourceCursor(entry: 1)) }
    for record in inventory where takes(record.id) && !wanted.contains(record.id) {
      try hold(SealedBlob(sha256: record.sha256, bytes: record.bytes), record.id)
      try batches.took(before: batches.next)
    }
    try batches.commit()

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
      makeBlob: { bytes, sha256 in
        Result { () throws(RasdError) in try vault.write(bytes, sha256: sha256) }
      },
      onRows: { (part: RowsPart, rows: [ReadRow]) throws(RasdError) in try take(part, rows) },
      onBlob: { (part, bytes, written) throws(RasdError) in try take(part, bytes, written) }
    )
    if let digest, let end = export.end, digest != end.rowsDigest {
      throw RasdError(.unavailable, .sourceChanged)
    }
    try batches.commit()
    // A name that the inventory does not have is nobody's, and not read.
    let isAllHeld = inventory.allSatisfy {
      !wanted.contains($0.id) || vault.holds($0.sha256, bytes: $0.bytes)
    }
    guard isAllHeld else { throw RasdError(.unavailable, .sourceChanged) }
    try batches.finish()
  }

  // MARK: - Rows

  private func take(_ part: RowsPart, _ rows: [ReadRow]) throws(RasdError) {
    let first = part.entry == start.entry ? start.row : 0
    let entry = String(decoding: part.name.bytes, as: UTF8.self)
    for (index, row) in rows.enumerated() where index >= first {
      let line = part.rowsBefore + index + 1
      if let receipt = try take(row, of: part.table, line: line) {
        try batches.report(
          receipt,
          rejection: row.rejection,
          hash: row.hash,
          entry: entry,
          line: line
        )
      }
      try batches.took(before: SourceCursor(entry: part.entry, row: index + 1))
    }
    batches.pass(to: SourceCursor(entry: part.entry + 1))
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

  // MARK: - Blobs

  /// Whether a blob is to be held at all.
  private func takes(_ id: BlobID) -> Bool {
    !assets.contains(id) && !bad.contains(id)
  }

  private func take(
    _ part: BlobPart,
    _ bytes: Span<UInt8>,
    _ written: Result<WrittenBlob, RasdError>?
  ) throws(RasdError) {
    advance(past: part.entry, rows: 0)
    guard let blob = try blob(part, bytes, written) else { return }
    try hold(blob, part.id)
    try batches.took(blob: blob.bytes, before: SourceCursor(entry: part.entry + 1))
  }

  /// The blob that ends with this part; a worker wrote those that have no other part.
  private func blob(
    _ part: BlobPart,
    _ bytes: Span<UInt8>,
    _ written: Result<WrittenBlob, RasdError>?
  ) throws(RasdError) -> SealedBlob? {
    let vault = merger.store.vault
    if let written { return try vault.accept(written.get()) }
    if part.offset == 0 { writer = try vault.writer() }
    try writer?.write(bytes)
    guard part.sha256 != nil, let writer = writer.take() else { return nil }
    return try writer.finish()
  }

  private func hold(_ blob: SealedBlob, _ id: BlobID) throws(RasdError) {
    if try session.hold(blob, id: id.text, mime: mimes[id]) {
      try batches.report(blob, id: id.text)
    }
  }

  private func advance(past entry: Int, rows: Int) {
    let bytes = reader.file.entries[entry].size
    if counting == .merged { merger.run.bytes += bytes }
    merger.run.progress.advance(merged: bytes, rows: rows)
  }
}
