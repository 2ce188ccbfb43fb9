import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// A store's rows and blobs in one sealed export.
///
/// A store's own export carries every observation beside what is seen, so that nothing is lost
/// between two stores; one for a device carries what is seen alone, under the device's
/// namespace.
struct StoreExport {
  private let reading: StoreReading
  private let recipients: [ExportRecipient]

  init(_ reading: StoreReading, recipients: [ExportRecipient]) {
    self.reading = reading
    self.recipients = recipients
  }

  private var device: Namespace? { reading.selection.device }

  func write(to path: String, _ overwriting: Overwriting) throws(RasdError) -> ExportJob.Written {
    let run = reading.run
    try Outputs.makeParent(of: path)
    try overwriting.check(path, run)
    let tables = try reading.tables()
    let draft = try draft(tables)
    let identity = SourceIdentity(exportId: draft.exportID.text, namespace: draft.namespace.text)
    var written = ExportJob.Written(path: path, format: .rasdx, identity: identity)
    let writer = try ExportWriter(to: path, draft, replacing: overwriting == .allowed)
    if device == nil { try writeObservations(to: writer) }
    for table in tables {
      var rows = 0
      try reading.forEachRow(of: table) { (row) throws(RasdError) in
        try writer.write(row.text.span, to: table)
        rows += 1
      }
      written.rows.append((table, rows))
    }
    try writeBlobs(to: writer, &written)
    _ = try writer.finish()
    return written
  }

  private func draft(_ tables: [TableName]) throws(RasdError) -> ExportDraft {
    guard let id = ExportID(UUIDText.version4(random: SecureRandom.bytes(16))),
      let namespace = device ?? reading.store.org.flatMap({ Namespace($0) })
    else { throw RasdError(.unavailable, .orgUnknown, ["path": .text(reading.store.path)]) }
    var meta: [JSONValue.Member] = [
      .init("app", "rasdkit"), .init("origin", device == nil ? "store" : "migration"),
    ]
    if let scope = reading.selection.scope { meta.append(.init("scope", scope)) }
    return ExportDraft(
      exportID: id,
      namespace: namespace,
      exportedAt: ReportClock.moment,
      tables: (device == nil ? [ObservationLine.table] : []) + tables,
      meta: .object(meta),
      suite: recipients.isEmpty ? .none : .chunked,
      recipients: recipients
    )
  }

  /// A line for every observation of a key that is selected; first, so that a reader need not
  /// put the tables' rows aside until they come.
  private func writeObservations(to writer: ExportWriter) throws(RasdError) {
    try reading.store.forEachObservationLine(
      .inItsTable,
      where: { (key) throws(RasdError) in try reading.takes(key) },
      { (line) throws(RasdError) in
        try reading.run.interrupt.check()
        try writer.write(line.span, to: ObservationLine.table)
      }
    )
  }

  private func writeBlobs(
    to writer: ExportWriter,
    _ written: inout ExportJob.Written
  ) throws(RasdError) {
    try reading.forEachHeldBlob { (id, blob, mime) throws(RasdError) in
      guard let id = BlobID(id) else { return }
      try writer.beginBlob(id, mime: mime)
      try blob.forEachPart { (part) throws(RasdError) in
        try reading.run.interrupt.check()
        try writer.append(part.span)
      }
      try writer.endBlob()
      written.blobs += 1
      written.blobBytes += blob.bytes
    }
  }
}
