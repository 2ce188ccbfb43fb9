internal import Glibc
internal import RasdCrypto
internal import RasdModel
internal import SQLCipherKit

/// Brings a store to this version's schema, one recorded step after another.
///
/// Each schema step is one transaction, each chunk of a data step another, its cursor
/// committed with it: a run killed between them is continued by the next.
struct Migrator {
  let connection: Connection
  let migrations: [Migration]

  /// What a store's version says to this program.
  enum Age: Equatable {
    case current
    case older
    /// Made by a newer version: it can be read and exported, not written.
    case newer
  }

  var known: Int { migrations.map(\.target).max() ?? 0 }

  func age() throws(RasdError) -> Age {
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    if version == known { return try hasUnfinished() ? .older : .current }
    return version < known ? .older : .newer
  }

  /// Brings the store to what `access` needs: a writer migrates it; a reader takes it as it
  /// is, a newer one too.
  func prepare(for access: Store.Access) throws(RasdError) {
    try checkHistory()
    switch (try age(), access) {
    case (.current, _), (.newer, .reading), (.newer, .readingUntouched): return
    case (.older, .writing): try run()
    case (.older, _) where try !hasHistory(): throw RasdError(.notOpen, .storeMissing)
    case (.newer, .writing):
      throw RasdError(
        .downgrade,
        .unsupportedVersion,
        ["version": .number(try connection.integer("PRAGMA user_version") ?? 0)]
      )
    case (.older, .reading), (.older, .readingUntouched):
      throw RasdError(.migration, .migrationPending, ["known": .number(Int64(known))])
    }
  }

  /// Refuses a store whose released steps were other ones.
  func checkHistory() throws(RasdError) {
    guard try hasHistory() else { return }
    let recorded = try connection.statement("SELECT id, checksum FROM _rasd_migrations ORDER BY id")
    defer { recorded.reset() }
    while try recorded.step() {
      let (id, checksum) = (recorded.text(0), recorded.text(1))
      guard let step = migrations.first(where: { $0.id == id }) else { continue }
      guard step.checksum == checksum else {
        throw RasdError(.migration, .migrationChanged, ["migration": .text(id)])
      }
    }
  }

  func run() throws(RasdError) {
    for migration in migrations.sorted(by: { $0.id < $1.id }) {
      guard try state(of: migration) != "applied" else { continue }
      do {
        try apply(migration)
      } catch  where error.code == .integrity {
        var details = error.details
        details["migration"] = .text(migration.id)
        throw RasdError(.migration, .migrationFailed, details)
      }
    }
  }

  private func apply(_ migration: Migration) throws(RasdError) {
    switch migration.step {
    case .schema:
      try connection.transaction { () throws(RasdError) in
        try connection.execute(Self.history)
        try connection.execute(migration.source)
        try record(migration, "applied", cursor: nil)
      }
    case .data(let chunk):
      var cursor = try cursor(of: migration)
      var isDone = false
      while !isDone {
        try connection.transaction { () throws(RasdError) in
          cursor = try chunk(connection, cursor)
          isDone = cursor == nil
          try record(migration, isDone ? "applied" : "running", cursor: cursor)
        }
      }
    }
  }

  private static let history = """
    CREATE TABLE IF NOT EXISTS _rasd_migrations (
      id TEXT PRIMARY KEY, checksum TEXT NOT NULL, state TEXT NOT NULL, cursor TEXT,
      applied_at TEXT);
    """

  /// A step's standing; with the last one of a version goes `user_version`.
  private func record(
    _ migration: Migration,
    _ state: String,
    cursor: String?
  ) throws(RasdError) {
    let insert = try connection.statement(
      "INSERT OR REPLACE INTO _rasd_migrations VALUES (?1, ?2, ?3, ?4, ?5)"
    )
    try insert.bind(1, text: migration.id)
    try insert.bind(2, text: migration.checksum)
    try insert.bind(3, text: state)
    if let cursor { try insert.bind(4, text: cursor) } else { try insert.bindNull(4) }
    try insert.bind(5, text: Instant(seconds: Int64(time(nil))).text)
    try insert.run()
    if state == "applied" { try connection.execute("PRAGMA user_version = \(migration.target)") }
  }

  private func hasHistory() throws(RasdError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_rasd_migrations'"
    ) != nil
  }

  private func hasUnfinished() throws(RasdError) -> Bool {
    guard try hasHistory() else { return false }
    return try connection.integer("SELECT 1 FROM _rasd_migrations WHERE state <> 'applied'") != nil
  }

  private func state(of migration: Migration) throws(RasdError) -> String? {
    try column("state", of: migration)
  }

  private func cursor(of migration: Migration) throws(RasdError) -> String? {
    try column("cursor", of: migration)
  }

  private func column(_ name: String, of migration: Migration) throws(RasdError) -> String? {
    guard try hasHistory() else { return nil }
    let select = try connection.statement("SELECT \(name) FROM _rasd_migrations WHERE id = ?1")
    defer { select.reset() }
    try select.bind(1, text: migration.id)
    guard try select.step(), !select.isNull(0) else { return nil }
    return select.text(0)
  }
}

extension Migration {
  var checksum: String { SHA256.digest(Array(source.utf8).span).prefixed }
}
