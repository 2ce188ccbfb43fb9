import RasdModel
import SQLCipherKit
import TestSupport
import Testing

/// Opening, binding, reading and failing.
@Suite struct ConnectionTests {
  private let directory: TemporaryDirectory
  private let key = [UInt8](repeating: 7, count: 32)

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ access: Connection.Access, key: [UInt8]? = nil) throws -> Connection {
    let key = key ?? self.key
    return try Connection(path: directory.file("a.db"), access: access, rawKey: key.span)
  }

  @Test func whatIsWrittenIsReadWithTheSameKeyAlone() throws {
    let connection = try open(.create)
    try connection.execute("CREATE TABLE t (a INTEGER, b TEXT, c BLOB)")
    let insert = try connection.statement("INSERT INTO t VALUES (?1, ?2, ?3)")
    try insert.bind(1, 42)
    try insert.bind(2, text: "مخيم a\u{0}b")
    try insert.bind(3, blob: [0, 255])
    try insert.run()
    try insert.bindNull(1)
    try insert.bind(2, text: "")
    try insert.bind(3, blob: [])
    try insert.run()
    connection.close()

    let again = try open(.read)
    let select = try again.statement("SELECT a, b, c FROM t ORDER BY rowid")
    #expect(try select.step())
    #expect(select.integer(0) == 42)
    #expect(Array(select.text(1).utf8) == Array("مخيم a\u{0}b".utf8))
    #expect(select.bytes(2) == [0, 255])
    #expect(try select.step())
    #expect(select.isNull(0) && select.optionalInteger(0) == nil)
    #expect(!select.isNull(1) && select.text(1).isEmpty)
    #expect(!select.isNull(2) && select.bytes(2).isEmpty)
    #expect(try !select.step())
    #expect(throws: RasdError(.unavailable, .readOnly)) { try again.execute("DELETE FROM t") }

    #expect(throws: RasdError(.keyUnavailable, .wrongKey)) {
      _ = try open(.read, key: [UInt8](repeating: 8, count: 32))
    }
    let bytes = try directory.read("a.db")
    #expect(!bytes.starts(with: Array("SQLite format 3".utf8)))
  }

  @Test func aMissingFileIsNotMade() throws {
    #expect(throws: RasdError.self) { _ = try open(.write) }
    #expect(throws: (any Error).self) { try directory.read("a.db") }
  }

  @Test func aTransactionIsWholeOrNothing() throws {
    let connection = try open(.create)
    try connection.execute("CREATE TABLE t (a INTEGER NOT NULL)")
    try connection.transaction { () throws(RasdError) in
      try connection.execute("INSERT INTO t VALUES (1)")
    }
    #expect(throws: RasdError(.integrity, .sqliteError)) {
      try connection.transaction { () throws(RasdError) in
        try connection.execute("INSERT INTO t VALUES (2)")
        try connection.execute("INSERT INTO t VALUES (NULL)")
      }
    }
    #expect(try connection.integer("SELECT group_concat(a) FROM t") == 1)
    #expect(!connection.isInTransaction)
  }

  @Test func aFullDatabaseIsAFullDisk() throws {
    let connection = try open(.create)
    try connection.execute("CREATE TABLE t (a BLOB); PRAGMA max_page_count = 8")
    #expect(throws: RasdError(.quota, .diskFull)) {
      try connection.transaction { () throws(RasdError) in
        try connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
      }
    }
    #expect(!connection.isInTransaction)
    try connection.execute("INSERT INTO t VALUES (1)")
  }

  @Test func errorsNameColumnsAndNeverValues() throws {
    let connection = try open(.create)
    try connection.execute("CREATE TABLE t (a TEXT UNIQUE)")
    let insert = try connection.statement("INSERT INTO t VALUES (?1)")
    try insert.bind(1, text: "secret answer")
    try insert.run()
    do {
      try insert.run()
      Issue.record("a doubled value went in")
    } catch {
      #expect("\(error)".contains("t.a"))
      #expect(!"\(error)".contains("secret"))
    }
    // The statement is ready for the next row.
    try insert.bind(1, text: "another")
    try insert.run()
  }

  @Test func damageIsDamage() throws {
    let connection = try open(.create)
    try connection.execute("CREATE TABLE t (a BLOB)")
    try connection.execute("INSERT INTO t VALUES (zeroblob(40000))")
    connection.close()
    var bytes = try directory.read("a.db")
    bytes[4096 * 3 + 100] ^= 1
    try directory.write(bytes, to: "a.db")
    let again = try open(.read)
    #expect(throws: RasdError(.corrupt, .storeDamaged)) {
      let select = try again.statement("SELECT a FROM t")
      while try select.step() { _ = select.bytes(0) }
    }
  }
}
