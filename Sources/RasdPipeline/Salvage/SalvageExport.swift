import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

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
  /// `salvage`, whose rows carry their grades, `device`, whose rows stand for themselves, or
  /// `store`, whose observations are its rows and whose tables are display.
  let origin: String

  private var isSalvage: Bool { origin == "salvage" }

  /// Takes the rows that a better copy of their key stands for.
  typealias PassedOver = (SalvagedEntry) throws(RasdError) -> Void

  /// The tables whose lines are the rows that enter.
  private var entering: [TableName] { origin == "store" ? [ObservationLine.table] : tables }

  /// Whether it has no rows.
  var isEmpty: Bool { entering.allSatisfy { shelf.isEmpty($0) } }

  /// How many rows it has, for one that is not written.
  func count(passedOver: PassedOver) throws(RasdError) -> Int {
    var rows = 0
    for table in entering {
      try shelf.forEach(of: table, passedOver: passedOver) { (_) throws(RasdError) in rows += 1 }
    }
    return rows
  }

  /// Writes it for `recipients`, nobody's key where there are none; how many rows it has.
  func write(
    to path: String,
    recipients: [ExportRecipient],
    replacing: Bool,
    passedOver: PassedOver
  ) throws(RasdError) -> Int {
    guard let id = ExportID(UUIDText.version4(random: SecureRandom.bytes(16))) else {
      throw RasdError(.integrity, .manifestInvalid, ["member": "exportId"])
    }
    let writer = try ExportWriter(to: path, draft(id, recipients), replacing: replacing)
    return try fill(writer, passedOver)
  }

  /// Seals it under a key that is nobody's but this run's, in a file without a name, and opens it
  /// as the source that `path` is.
  func spool(
    as path: String,
    source: SHA256Digest,
    passedOver: PassedOver = { _ in }
  ) throws(RasdError) -> (export: OpenedExport, rows: Int) {
    // The same evidence is the same source, whenever it is read.
    guard let id = ExportID(UUIDText.version4(random: Array(source.bytes.prefix(16)))) else {
      throw RasdError(.integrity, .manifestInvalid, ["member": "exportId"])
    }
    let key = RawKey(SecureRandom.secret(RawKey.size))
    let writer = try ExportWriter(namelessIn: TemporaryFolder.parent, draft(id, [.rawKey(key)]))
    let rows = try fill(writer, passedOver)
    var credentials = Credentials()
    credentials.add(.rawKey(key), source: "run")
    let export = try OpenedExport(
      .spool(writer.source),
      path: path,
      credentials: credentials,
      plaintext: .refused,
      evidence: source
    )
    return (export, rows)
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

  private func fill(
    _ writer: ExportWriter,
    _ passedOver: PassedOver
  ) throws(RasdError) -> Int {
    let grades = isSalvage ? try GradeLines(earlier: shelf) : nil
    var rows = 0
    for table in tables {
      let isEntering = entering.contains(table)
      try shelf.forEach(of: table, passedOver: passedOver) { (entry) throws(RasdError) in
        if isEntering { rows += 1 }
        try writer.write(entry.text.span, to: table)
        try grades?.add(entry)
      }
    }
    try grades?.forEach { (line) throws(RasdError) in
      try writer.write(line, to: SalvageGrade.table)
    }
    try blobs.write(to: writer)
    _ = try writer.finish()
    return rows
  }
}
