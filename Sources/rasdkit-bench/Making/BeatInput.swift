import RasdModel
import SQLCipherKit

/// Damaged databases of 5,000 submissions, and the undamaged one to hold an answer against.
struct BeatInput {
  static let rows = 5_000
  static let folder = BenchInput.folder + "/beat"
  static let truth = folder + "/truth.db"
  static let rawKey = [UInt8](repeating: 0x5A, count: 32)

  static let columns = """
    id, form_id, form_version, definition_hash, status, client_rev, created_at, updated_at, body
    """

  private static let table = """
    CREATE TABLE submissions (id TEXT PRIMARY KEY, form_id TEXT NOT NULL, form_version TEXT NOT NULL,
      definition_hash TEXT, status TEXT NOT NULL CHECK (status IN
        ('draft','finalized','queued','sending','synced','rejected','conflict')),
      instance_name TEXT, client_rev INTEGER NOT NULL DEFAULT 0, server_rev INTEGER,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL, finalized_at TEXT, synced_at TEXT,
      checksum TEXT, body BLOB NOT NULL);
    """

  /// Inserts numbers `first` to `last`; the same number is the same row.
  private static func insert(_ first: Int, _ last: Int) -> String {
    """
    WITH RECURSIVE n(i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i < \(last))
    INSERT INTO submissions (\(columns)) SELECT printf('%08x-0000-4000-8000-%012x', i * 7919, i),
      'water', '1', 'sha256:' || printf('%064x', i), 'draft', i % 9, '2026-09-07T06:00:00.000Z',
      '2026-09-07T06:00:00.000Z', '{"data":{"n":' || i || ',"text":"' || printf('%0280x', i * 104729)
      || '"},"meta":{},"attachments":[]}' FROM n;
    """
  }

  /// A plain database of all rows.
  static func plain() throws -> [UInt8] {
    OutputFile.remove(truth)
    try OutputFile.makeFolder(folder)
    let made = try Connection(plainOutput: truth)
    try made.execute(table + insert(1, rows))
    made.close()
    return try OutputFile.read(truth)
  }

  /// The same under SQLCipher 4.
  static func encrypted() throws -> [UInt8] {
    let path = folder + "/encrypted.db"
    for suffix in ["", "-wal", "-shm"] { OutputFile.remove(path + suffix) }
    let made = try Connection(path: path, access: .create, rawKey: rawKey.span)
    try made.execute(table + insert(1, rows) + "PRAGMA wal_checkpoint(TRUNCATE);")
    made.close()
    return try OutputFile.read(path)
  }

  /// 4,000 rows in the database, 1,000 in the WAL beside it.
  static func withWAL() throws -> (database: [UInt8], wal: [UInt8]) {
    let path = folder + "/wal.db"
    for suffix in ["", "-wal", "-shm"] { OutputFile.remove(path + suffix) }
    let made = try Connection(plainOutput: path)
    defer { made.close() }
    try made.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;")
    try made.execute(table + insert(1, 4_000) + "PRAGMA wal_checkpoint(TRUNCATE);")
    try made.execute(insert(4_001, rows))
    return (try OutputFile.read(path), try OutputFile.read(path + "-wal"))
  }

  /// Every fifth row deleted, nothing vacuumed.
  static func deleted() throws -> [UInt8] {
    let path = folder + "/deleted.db"
    OutputFile.remove(path)
    let made = try Connection(plainOutput: path)
    try made.execute(table + insert(1, rows))
    try made.execute("PRAGMA secure_delete = OFF; DELETE FROM submissions WHERE rowid % 5 = 0;")
    made.close()
    return try OutputFile.read(path)
  }

  /// 599 texts with a NUL in the middle.
  static func nulTexts() throws -> [UInt8] {
    let path = folder + "/nul.db"
    OutputFile.remove(path)
    let made = try Connection(plainOutput: path)
    try made.execute(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 599)
      INSERT INTO notes SELECT i, CAST(X'610062' || i AS TEXT) FROM n;
      """
    )
    made.close()
    return try OutputFile.read(path)
  }
}
