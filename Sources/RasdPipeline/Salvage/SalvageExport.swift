import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// Writes the rows of a shelf and the files of their attachments as one export.
struct SalvageExport {
  /// The host table that carries how far to trust each row.
  static let gradesTable = TableName.host("x_rasdkit_salvage")

  let shelf: SalvageShelf
  let attachments: SalvagedAttachments
  let namespace: Namespace
  let exportedAt: String
  /// `salvage`, whose rows carry their grades, or `device`, whose rows stand for themselves.
  let origin: String

  private var isSalvage: Bool { origin == "salvage" }

  /// Writes it for `recipients`, nobody's key where there are none.
  func write(
    to path: String,
    id: ExportID,
    recipients: [ExportRecipient],
    replacing: Bool = false
  ) throws(RasdError) -> SourceIdentity {
    let draft = ExportDraft(
      exportID: id,
      namespace: namespace,
      exportedAt: exportedAt,
      tables: TableName.rasd + (isSalvage ? [Self.gradesTable] : []),
      meta: .object([.init("app", "rasdkit"), .init("origin", .string(origin))]),
      suite: recipients.isEmpty ? .none : .chunked,
      recipients: recipients
    )
    let writer = try ExportWriter(to: path, draft, replacing: replacing)
    var grades: [[UInt8]] = []
    for table in TableName.rasd {
      for entry in shelf.entries(of: table) {
        try writer.write(entry.text.span, to: table)
        if isSalvage { grades.append(entry.gradeLine) }
      }
    }
    for line in grades { try writer.write(line.span, to: Self.gradesTable) }
    for held in attachments.held {
      guard let id = BlobID(held.id) else { continue }
      try writer.beginBlob(id, mime: held.mime)
      try held.file.read { (bytes) throws(RasdError) in try writer.append(bytes) }
      try writer.endBlob()
    }
    _ = try writer.finish()
    return SourceIdentity(
      exportId: id.text,
      manifest: writer.manifest.digest,
      namespace: namespace.text
    )
  }
}

extension SalvageShelf.Entry {
  /// `{table, key, grade, kind, provenance}` (salvage, §Rows).
  fileprivate var gradeLine: [UInt8] {
    var from = Members()
    from.add("fileSha256", provenance.database.hex)
    from.add("file", provenance.file)
    from.add("page", provenance.page)
    from.add("cell", provenance.cell)
    from.add("offset", provenance.offset)
    from.add("verdict", provenance.verdict)
    var line = Members()
    line.add("table", table.text)
    line.add("key", key.map(KeyShade.values.json))
    line.add("grade", grade.rawValue)
    line.add("kind", kind.rawValue)
    line.add("provenance", from)
    return line.object.text
  }
}
