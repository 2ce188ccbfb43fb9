import Glibc
import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// Copies an export's rows and blobs byte for byte into one sealed for others, reads it back
/// and writes the receipt from what was read.
struct Reseal {
  let export: OpenedExport
  let namespace: Namespace
  let recipients: [ExportRecipient]
  let run: Run

  func write(
    to path: String,
    receipt: String,
    _ overwriting: Overwriting
  ) throws(RasdError) -> SourceIdentity {
    run.progress.begin(.writing, total: export.bytes)
    let reader = try export.reader()
    let writer = try ExportWriter(
      to: path,
      draft(reader),
      replacing: overwriting == .allowed
    )
    let given = try copy(reader, to: writer)
    _ = try writer.finish()
    do throws(RasdError) {
      let written = try writer.readBack()
      let identity = SourceIdentity(
        exportId: written.manifest.exportID.text,
        manifest: written.manifest.digest,
        namespace: namespace.text
      )
      let output = try BufferedOutput(receipt, overwriting)
      let taken = try Receipt(export: export, path: path, run: run).write(written, to: output)
      guard taken == given else {
        throw RasdError(.integrity, .totalHashMismatch, ["path": .text(path)])
      }
      try output.commit()
      return identity
    } catch {
      // Nobody may take for a copy what could not be read back.
      unsafe unlink(path)
      throw error
    }
  }

  private func draft(_ reader: ExportReader) throws(RasdError) -> ExportDraft {
    guard let id = ExportID(UUIDText.version4(random: SecureRandom.bytes(16))) else {
      throw RasdError(.integrity, .manifestInvalid, ["member": "exportId"])
    }
    var meta = try reader.meta().json.members ?? []
    meta.removeAll { $0.name == "migratedFrom" }
    // A store's export stays one, since its rows are read another way, and a salvaged one, since
    // it may lack rows.
    if !["store", "salvage"].contains(export.meta?.origin) {
      meta.removeAll { $0.name == "origin" }
      meta.append(.init("origin", "migration"))
    }
    meta.append(.init("migratedFrom", .string(export.exportID.text)))
    var draft = ExportDraft(
      exportID: id,
      namespace: namespace,
      exportedAt: export.exportedAt,
      tables: export.tables,
      meta: .object(meta),
      suite: recipients.isEmpty ? .none : .chunked,
      recipients: recipients
    )
    draft.storageVersion = reader.manifest.storageVersion
    return draft
  }

  private func copy(
    _ reader: ExportReader,
    to writer: ExportWriter
  ) throws(RasdError) -> SHA256Digest {
    let inventory = try reader.inventory()
    let mimes = inventory.mimes
    let entries = reader.file.entries
    var contents = ContentHash()
    try reader.decode(
      workers: run.rules.jobs,
      makeRows: { { _, body in [UInt8](copying: body) } },
      makeBlob: nil,
      onRows: { (part: RowsPart, body: [UInt8]) throws(RasdError) in
        try run.interrupt.check()
        run.progress.advance(verified: entries[part.entry].size, rows: part.rows)
        contents.add(body.span, of: part.table)
        var start = 0
        while let end = Lines.next(in: body.span, from: start) {
          try writer.write(body.span.extracting(start..<end), to: part.table)
          start = end + 1
        }
      },
      onBlob: { (part, bytes, _: Never?) throws(RasdError) in
        try run.interrupt.check()
        run.progress.advance(verified: entries[part.entry].size)
        if part.offset == 0 { try writer.beginBlob(part.id, mime: mimes[part.id]) }
        try writer.append(bytes)
        if let sha256 = part.sha256 {
          try writer.endBlob()
          contents.add(part.id, bytes: part.offset + part.bytes, sha256)
        }
      }
    )
    return contents.finish()
  }
}

/// One value for all rows and blobs of an export, however they are cut into parts.
struct ContentHash: ~Copyable {
  private var hash = SHA256()
  private var table: TableName?

  mutating func add(_ rows: Span<UInt8>, of table: TableName) {
    if table != self.table {
      self.table = table
      hash.update(Array("table \(table.text)\n".utf8).span)
    }
    hash.update(rows)
  }

  mutating func add(_ blob: BlobID, bytes: Int, _ sha256: SHA256Digest) {
    hash.update(Array("blob \(EntryEscape.escape(blob.text)) \(bytes) \(sha256)\n".utf8).span)
  }

  mutating func finish() -> SHA256Digest { hash.finish() }
}
