internal import RasdModel
internal import SQLCipherKit

/// Which blobs which sources delivered under which ids.
final class BlobTable {
  private let connection: Connection
  private let find: Statement
  private let insert: Statement
  private let deliver: Statement

  init(_ connection: Connection) throws(RasdError) {
    self.connection = connection
    find = try connection.statement("SELECT blob FROM blobs WHERE sha256 = ?1")
    insert = try connection.statement("INSERT INTO blobs (sha256, bytes) VALUES (?1, ?2)")
    deliver = try connection.statement(
      "INSERT OR IGNORE INTO blob_deliveries VALUES (?1, ?2, ?3, ?4)"
    )
  }

  /// Records a delivery; answers whether the blob was not held before.
  func hold(
    _ blob: SealedBlob,
    source: Int,
    id: String,
    mime: String?
  ) throws(RasdError) -> Bool {
    let wasHeld = try isHeld(blob.sha256)
    var number = try number(of: blob.sha256)
    if number == nil {
      try insert.bind(1, blob.sha256)
      try insert.bind(2, Int64(blob.bytes))
      try insert.run()
      number = connection.lastInsertedRow
    }
    try deliver.bind(1, number)
    try deliver.bind(2, Int64(source))
    try deliver.bind(3, text: id)
    try deliver.bind(4, optionalText: mime)
    try deliver.run()
    return !wasHeld
  }

  func number(of sha256: SHA256Digest) throws(RasdError) -> Int64? {
    try find.bind(1, sha256)
    defer { find.reset() }
    return try find.step() ? find.integer(0) : nil
  }

  /// Whether a source that is not retracted delivered it.
  func isHeld(_ sha256: SHA256Digest) throws(RasdError) -> Bool {
    let held = try connection.statement("SELECT 1 FROM held_blobs WHERE sha256 = ?1")
    try held.bind(1, sha256)
    defer { held.reset() }
    return try held.step()
  }
}
