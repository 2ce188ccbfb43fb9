import Foundation
import RasdCrypto
import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdStore

@Suite struct MigrationTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func connection() throws -> Connection { try Self.open(directory.file("m.db")) }

  private static func open(_ path: String) throws -> Connection {
    let key = [UInt8](repeating: 1, count: 32)
    return try Connection(path: path, access: .create, rawKey: key.span)
  }

  /// A second step that upper-cases bodies in chunks of ten; `dieAt`: the chunk that fails.
  private func second(dieAt: Int? = nil, source: String = "0002 upper-case") -> Migration {
    Self.second(dieAt: dieAt, source: source) {}
  }

  private static func second(
    dieAt: Int? = nil,
    source: String = "0002 upper-case",
    _ die: @escaping @Sendable () -> Void
  ) -> Migration {
    Migration(
      id: "0002_upper",
      target: 2,
      source: source,
      step: .data { (connection, cursor) throws(RasdError) in
        let last = cursor.flatMap { Int64($0) } ?? 0
        if let dieAt, last == Int64(dieAt * 10) {
          die()
          throw RasdError(.unavailable, .ioError)
        }
        let update = try connection.statement(
          "UPDATE bodies SET text = upper(text) || '!' WHERE bid > ?1 AND bid <= ?1 + 10"
        )
        try update.bind(1, last)
        try update.run()
        return connection.changes == 0 ? nil : String(last + 10)
      }
    )
  }

  private func prepared() throws -> Connection {
    let connection = try connection()
    try Migrator(connection: connection, migrations: Schema.migrations).run()
    for i in 0..<35 { try connection.execute("INSERT INTO bodies (text) VALUES ('row \(i)')") }
    return connection
  }

  @Test func aKilledDataStepGoesOnWhereItStopped() throws {
    let connection = try prepared()
    let dying = Migrator(connection: connection, migrations: Schema.migrations + [second(dieAt: 2)])
    #expect(try dying.age() == .older)
    #expect(throws: RasdError(.unavailable, .ioError)) { try dying.run() }
    #expect(try connection.integer("PRAGMA user_version") == 1)
    #expect(
      try connection.text("SELECT cursor FROM _rasd_migrations WHERE state = 'running'") == "20"
    )

    let migrator = Migrator(connection: connection, migrations: Schema.migrations + [second()])
    #expect(try migrator.age() == .older)
    try migrator.run()
    #expect(try migrator.age() == .current)
    // Each row was changed exactly once.
    #expect(try connection.integer("SELECT count(*) FROM bodies WHERE text LIKE 'ROW %!'") == 35)
    #expect(try connection.integer("SELECT count(*) FROM bodies WHERE text LIKE '%!!'") == 0)
    try migrator.run()
    #expect(try connection.integer("SELECT count(*) FROM bodies WHERE text LIKE '%!!'") == 0)
  }

  /// The same where nothing at all could be put in order: the process is killed in its third chunk.
  @Test func aKilledProcessGoesOnWhereItStopped() async throws {
    try prepared().close()
    // A process of its own can be told no more than its environment.
    unsafe setenv(Self.place, directory.file("m.db"), 1)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let path = try #require(ProcessInfo.processInfo.environment[MigrationTests.place])
      let dying = MigrationTests.second(dieAt: 2) { kill(getpid(), SIGKILL) }
      let migrations = Schema.migrations + [dying]
      try Migrator(connection: MigrationTests.open(path), migrations: migrations).run()
    }
    let connection = try Self.open(directory.file("m.db"))
    #expect(try connection.integer("PRAGMA user_version") == 1)
    let changed = "SELECT count(*) FROM bodies WHERE text LIKE 'ROW %!'"
    #expect(try connection.integer(changed) == 20)
    try Migrator(connection: connection, migrations: Schema.migrations + [second()]).run()
    #expect(try connection.integer(changed) == 35)
    #expect(try connection.integer("SELECT count(*) FROM bodies WHERE text LIKE '%!!'") == 0)
    #expect(try connection.integer("PRAGMA user_version") == 2)
  }

  private static let place = "RASDKIT_TEST_MIGRATION"

  @Test func aChangedStepIsRefused() throws {
    let connection = try prepared()
    try Migrator(connection: connection, migrations: Schema.migrations + [second()]).run()
    let changed = Migrator(
      connection: connection,
      migrations: Schema.migrations + [second(source: "another")]
    )
    #expect(throws: RasdError(.migration, .migrationChanged)) { try changed.prepare(for: .writing) }
    #expect(throws: RasdError(.migration, .migrationChanged)) { try changed.prepare(for: .reading) }
  }

  @Test func aStepThatFailsLeavesTheStoreAsItWas() throws {
    let connection = try prepared()
    let bad = Migration(
      id: "0002_bad",
      target: 2,
      source: "CREATE TABLE extra (a); SELECT * FROM no_such_table;"
    )
    let migrator = Migrator(connection: connection, migrations: Schema.migrations + [bad])
    #expect(throws: RasdError(.migration, .migrationFailed)) { try migrator.run() }
    #expect(try connection.integer("PRAGMA user_version") == 1)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'extra'") == 0)
  }

  @Test func aNewerStoreIsReadAndNotWritten() throws {
    let fixture = try StoreFixture()
    let store = try fixture.create()
    try TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1))]).take(into: store)
    let digest = try store.digest()
    try store.connection.execute("PRAGMA user_version = 99")
    store.close()
    #expect(throws: RasdError(.downgrade, .unsupportedVersion)) { try fixture.open() }
    let reader = try fixture.open("store", .reading)
    #expect(try reader.digest() == digest)
    var rows = 0
    try reader.forEachRow(of: .submissions) { _ in rows += 1 }
    #expect(rows == 1)
  }
}
