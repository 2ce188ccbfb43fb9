internal import RasdModel
internal import SQLCipherKit

/// Rows and blobs that failed a check, kept aside with their source.
struct Quarantine {
  private let connection: Connection
  private let names: Names
  private let source: Int

  /// A source of nothing but bad rows must not fill the store: beyond these, rejected rows are
  /// counted and reported but not kept.
  static let rowsASource = 1_000
  /// What is kept of one row.
  static let bytesARow = 65_536

  init(_ store: Store, _ source: Int) {
    connection = store.connection
    names = store.names
    self.source = source
  }

  func add(
    _ table: TableName,
    line: Int?,
    reason: Reason,
    fault: String,
    key: RowKey?,
    text: [UInt8]
  ) throws(RasdError) {
    guard let insert = try next() else { return }
    try insert.bind(3, try names.number(table))
    try insert.bind(4, line.map { Int64($0) })
    try insert.bind(5, optionalText: key?.text)
    try insert.bind(6, text: reason.rawValue)
    try insert.bind(7, text: fault)
    try insert.bind(8, blob: Array(text.prefix(Self.bytesARow)))
    try insert.bindNull(9)
    try insert.bindNull(10)
    try insert.run()
  }

  func add(blob: SealedBlob, id: String, reason: Reason) throws(RasdError) {
    guard let insert = try next() else { return }
    for i: Int32 in [3, 4, 7, 8] { try insert.bindNull(i) }
    try insert.bind(5, text: RowKey(attachment: id).text)
    try insert.bind(6, text: reason.rawValue)
    try insert.bind(9, blob.sha256)
    try insert.bind(10, Int64(blob.bytes))
    try insert.run()
  }

  /// Ids of the source's blobs that are kept aside.
  func blobs() throws(RasdError) -> [String] {
    let select = try connection.statement(
      "SELECT key FROM quarantine WHERE source = ?1 AND sha256 IS NOT NULL ORDER BY number"
    )
    try select.bind(1, Int64(source))
    var ids: [String] = []
    while try select.step() {
      if let key = RowKey(.attachments, text: select.text(0)) { ids.append(key.parts[0]) }
    }
    return ids
  }

  /// The statement with source and number bound; nil when the source's share is used up.
  private func next() throws(RasdError) -> Statement? {
    let highest = try connection.statement("SELECT max(number) FROM quarantine WHERE source = ?1")
    try highest.bind(1, Int64(source))
    defer { highest.reset() }
    let number = try highest.step() ? highest.integer(0) + 1 : 1
    guard number <= Self.rowsASource else { return nil }
    let insert = try connection.statement(
      "INSERT INTO quarantine VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
    )
    try insert.bind(1, Int64(source))
    try insert.bind(2, number)
    return insert
  }
}
