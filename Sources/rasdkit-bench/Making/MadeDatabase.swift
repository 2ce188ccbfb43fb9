import RasdModel
import SQLCipherKit

/// A database as an app leaves it, its tables those of a profile.
struct MadeDatabase {
  let connection: Connection
  let path: String

  /// Makes an encrypted database with the tables and indexes that `profile` describes.
  init(path: String, rawKey: [UInt8], profile: String) throws {
    self.path = path
    connection = try Connection(path: path, access: .create, rawKey: rawKey.span)
    // The newest rows are to stand in the WAL until somebody says otherwise.
    try connection.execute("PRAGMA wal_autocheckpoint = 0")
    try createTables(profile)
  }

  /// The same without encryption and without a WAL.
  init(plain path: String, profile: String) throws {
    self.path = path
    connection = try Connection(plainOutput: path)
    // An app that leaves deleted bytes where they are, as SQLite does unless told otherwise.
    try connection.execute("PRAGMA secure_delete = OFF; BEGIN")
    try createTables(profile)
  }

  private func createTables(_ profile: String) throws {
    let described = try JSONValue.parse(try OutputFile.read(profile))
    for table in described["tables"]?.array ?? [] {
      if let sql = table["sql"]?.string { try connection.execute(sql) }
    }
    for index in described["indexes"]?.array ?? [] {
      if let sql = index.string { try connection.execute(sql) }
    }
  }

  /// Moves everything that stands in the WAL into the database.
  func checkpoint() throws { _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Ends a plain database, takes its file away and gives what it held.
  func finish() throws -> [UInt8] {
    try connection.execute("COMMIT")
    connection.close()
    defer { OutputFile.remove(path) }
    return try OutputFile.read(path)
  }

  /// Inserts a row; arrays and objects are stored as JSON text, what is absent as null.
  func insert(into table: String, _ values: [(column: String, value: JSONValue?)]) throws {
    let columns = values.map(\.column).joined(separator: ", ")
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    let statement = try connection.statement("INSERT INTO \(table) (\(columns)) VALUES (\(marks))")
    for (place, (_, value)) in values.enumerated() {
      let place = Int32(place + 1)
      switch value {
      case nil, .null: try statement.bindNull(place)
      case .string(let text): try statement.bind(place, text: text)
      case .bool(let flag): try statement.bind(place, flag ? 1 : 0)
      case .number(let number) where number.integer != nil:
        try statement.bind(place, number.integer)
      case .some(let value): try statement.bind(place, text: value.text.span)
      }
    }
    try statement.run()
    statement.reset()
  }

  /// Inserts a row whose members are the columns.
  func insert(into table: String, _ row: JSONValue) throws {
    try insert(into: table, (row.members ?? []).map { ($0.name, $0.value) })
  }

  /// Inserts a row of one of Rasd's tables: `formId` goes into `form_id`, the members without a
  /// column of their own into `body`.
  func insert(rasd table: String, _ row: JSONValue, columns: [String], body: [String] = []) throws {
    var values = columns.map { (column: $0, value: row[Self.member(of: $0)]) }
    if !body.isEmpty {
      let members = (row.members ?? []).filter { body.contains($0.name) }
      values.append((column: "body", value: .object(members)))
    }
    try insert(into: table, values)
  }

  private static func member(of column: String) -> String {
    let words = column.split(separator: "_")
    return words.dropFirst().reduce(String(words.first ?? "")) { text, word in
      text + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  func insert(_ made: MadeSubmission) throws {
    try insert(
      rasd: "submissions",
      try made.row(),
      columns: [
        "id", "form_id", "form_version", "definition_hash", "status", "instance_name",
        "client_rev", "server_rev", "created_at", "updated_at", "finalized_at", "synced_at",
        "checksum",
      ],
      body: ["data", "meta", "attachments", "audit", "ext"]
    )
    if let row = made.attachmentRow(), let photo = made.photo {
      var whole = row.members ?? []
      whole.append(.init("localPath", .string("attachments/\(photo.id).svg")))
      try insert(
        rasd: "attachments",
        .object(whole),
        columns: [
          "id", "submission_id", "field", "mime", "bytes", "sha256", "local_path", "status",
          "upload_offset", "created_at", "updated_at",
        ]
      )
    }
    if let row = made.outboxRow() {
      try insert(
        rasd: "outbox",
        row,
        columns: [
          "id", "kind", "target_id", "form_id", "status", "priority", "attempts",
          "next_attempt_at", "created_at",
        ]
      )
    }
  }

  func insertForm() throws {
    try insert(
      rasd: "forms",
      try MadeForm.row(),
      columns: [
        "id", "version", "definition_hash", "title", "rasd", "published_at", "updated_at",
        "definition",
      ]
    )
  }
}
