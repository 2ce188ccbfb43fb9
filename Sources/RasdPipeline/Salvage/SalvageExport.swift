import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// The blobs that go with a shelf's rows, each written whole.
protocol SalvagedBlobs {
  var count: Int { get }
  func write(to writer: ExportWriter) throws(RasdError)
}

/// Writes the rows of a shelf and the blobs that go with them as one export.
struct SalvageExport {
  let shelf: SalvageShelf
  let tables: [TableName]
  let blobs: any SalvagedBlobs
  let namespace: Namespace
  let exportedAt: String
  /// `salvage`, whose rows carry their grades, or `device`, whose rows stand for themselves.
  let origin: String

  private var isSalvage: Bool { origin == "salvage" }

  /// Writes it for `recipients`, nobody's key where there are none.
  func write(
    to path: String,
    recipients: [ExportRecipient],
    replacing: Bool
  ) throws(RasdError) {
    guard let id = ExportID(UUIDText.version4(random: SecureRandom.bytes(16))) else {
      throw RasdError(.integrity, .manifestInvalid, ["member": "exportId"])
    }
    try fill(try ExportWriter(to: path, draft(id, recipients), replacing: replacing))
  }

  /// Seals it under a key that is nobody's but this run's, in a file without a name, and opens it
  /// as the source that `path` is.
  func spool(as path: String, source: SHA256Digest) throws(RasdError) -> OpenedExport {
    // The same evidence is the same source, whenever it is read.
    guard let id = ExportID(UUIDText.version4(random: Array(source.bytes.prefix(16)))) else {
      throw RasdError(.integrity, .manifestInvalid, ["member": "exportId"])
    }
    let key = RawKey(SecureRandom.secret(RawKey.size))
    let writer = try ExportWriter(namelessIn: TemporaryFolder.parent, draft(id, [.rawKey(key)]))
    try fill(writer)
    var credentials = Credentials()
    credentials.add(.rawKey(key), source: "run")
    return try OpenedExport(
      .spool(writer.source),
      path: path,
      credentials: credentials,
      plaintext: .refused,
      evidence: source
    )
  }

  private func draft(_ id: ExportID, _ recipients: [ExportRecipient]) -> ExportDraft {
    ExportDraft(
      exportID: id,
      namespace: namespace,
      exportedAt: exportedAt,
      tables: tables + (isSalvage ? [SalvageGrade.table] : []),
      meta: .object([.init("app", "rasdkit"), .init("origin", .string(origin))]),
      suite: recipients.isEmpty ? .none : .chunked,
      recipients: recipients
    )
  }

  private func fill(_ writer: ExportWriter) throws(RasdError) {
    for table in tables {
      try shelf.forEach(of: table) { (entry) throws(RasdError) in
        try writer.write(entry.text.span, to: table)
      }
    }
    if isSalvage { try fillGrades(writer) }
    try blobs.write(to: writer)
    _ = try writer.finish()
  }
}

extension SalvageExport {
  /// Writes what is said of each row: what an earlier salvage said of it goes before what this one
  /// can say, to which the earlier one's own export looks whole.
  private func fillGrades(_ writer: ExportWriter) throws(RasdError) {
    let lines = SortedEntries(SalvageGrade.table)
    try shelf.forEach(of: SalvageGrade.table) { (entry) throws(RasdError) in
      try lines.add(SalvagedEntry(grading: entry.text, isEarlier: true))
    }
    for table in tables {
      try shelf.forEach(of: table) { (entry) throws(RasdError) in
        try lines.add(SalvagedEntry(grading: entry.gradeLine, isEarlier: false))
      }
    }
    var said: String?
    try lines.forEach { (line) throws(RasdError) in
      if let key = line.key, key == said, !line.isEarlier { return }
      said = line.key
      try writer.write(line.text.span, to: SalvageGrade.table)
    }
  }
}

extension SalvagedEntry {
  /// A line of the grades' table, by the row that it is about; the earlier one sorts first.
  fileprivate init(grading text: [UInt8], isEarlier: Bool) {
    self.init(
      table: SalvageGrade.table,
      key: SalvageGrade(line: text.span).map { "\($0.row) \($0.hash)" },
      hash: nil,
      grade: isEarlier ? .verified : .contradicted,
      kind: .live,
      text: text,
      provenance: []
    )
  }

  fileprivate var isEarlier: Bool { grade == .verified }

  /// `{table, key, hash, grade, kind, provenance}` (salvage, §Rows): `hash` is that of the row that
  /// the grade is about.
  fileprivate var gradeLine: [UInt8] {
    var members = Members()
    members.add("table", table.text)
    members.add("key", rowKey.map(KeyShade.values.json))
    members.add("hash", hash?.hex)
    members.add("grade", grade.rawValue)
    members.add("kind", kind.rawValue)
    var line = members.object.text
    line.removeLast()
    line.append(contentsOf: #","provenance":"#.utf8)
    line.append(contentsOf: provenance)
    line.append(UInt8(ascii: "}"))
    return line
  }
}
