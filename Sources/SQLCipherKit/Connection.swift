internal import CSQLCipher
package import RasdModel

/// One connection to an encrypted database; owns its handle and its cached statements.
///
/// Not shared between threads: whoever opened it uses it (SQLITE_OPEN_NOMUTEX).
@safe package final class Connection {
  /// What a connection may do to its file.
  package enum Access: Sendable {
    case create
    case write
    case read
    /// Reads a file that nobody writes, and leaves no trace beside it: no lock, no log.
    case readUntouched
  }

  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var isClosed = false
  /// Who makes the checkpoints; SQLite itself, at the end of a commit, where there is none.
  var checkpointer: Checkpointer?

  /// Opens the file and proves the key, in the order that the architecture gives (decision 10): key, version of
  /// the library, a first read, then the pragmas.
  ///
  /// `rawKey`: 32 bytes, used as they are (no key derivation).
  /// Errors: `sqlcipher-too-old`, `wrong-key` when the first read fails, or what opening says.
  package init(path: String, access: Access, rawKey: Span<UInt8>) throws(RasdError) {
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_NOMUTEX
    switch access {
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .write, .read: flags |= SQLITE_OPEN_READWRITE
    case .readUntouched: flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    }
    let name = access == .readUntouched ? Self.immutableName(of: path) : path
    let result = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened = unsafe opened else {
      throw RasdError(.unavailable, .ioError, ["message": "out of memory"])
    }
    unsafe handle = opened
    do {
      try check(result)
      unsafe sqlite3_extended_result_codes(handle, 1)
      try useKey(rawKey)
      // What is wrong is said by whoever takes the error, not by the library on standard error.
      try execute("PRAGMA cipher_log_level = NONE")
      try requireSupportedVersion()
      try proveKey()
      try setPragmas(access)
    } catch {
      close()
      throw error
    }
  }

  /// Makes a plain database for other programs to read, in a file that is not there yet and
  /// that nobody keeps if the making of it fails: so without journal or waiting for the disk.
  package init(plainOutput path: String) throws(RasdError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let result = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened = unsafe opened else {
      throw RasdError(.unavailable, .ioError, ["message": "out of memory"])
    }
    unsafe handle = opened
    do {
      try check(result)
      unsafe sqlite3_extended_result_codes(handle, 1)
      try execute(
        """
        PRAGMA page_size = \(Self.plainPageSize); PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF; PRAGMA cache_size = -\(Self.smallCache)
        """
      )
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// Finalizes every statement and closes the handle; further use is a defect.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    checkpointer?.stop()
    checkpointer = nil
    for statement in statements.values { statement.finalize() }
    statements.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  /// The statement for this text, prepared on first use and kept.
  package func statement(_ sql: String) throws(RasdError) -> Statement {
    if let known = statements[sql] { return known }
    let made = try Statement(self, sql)
    statements[sql] = made
    return made
  }

  /// A statement of its own, for a reading during which the same text may run again.
  package func prepare(_ sql: String) throws(RasdError) -> Statement {
    try Statement(self, sql)
  }

  /// Runs one or more statements that take no arguments and whose rows nobody reads.
  package func execute(_ sql: String) throws(RasdError) {
    try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// The first column of the first row, nil when there is no row or it is NULL.
  package func integer(_ sql: String) throws(RasdError) -> Int64? {
    let statement = try statement(sql)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }

  /// The first column of the first row as text, nil when there is no row or it is NULL.
  package func text(_ sql: String) throws(RasdError) -> String? {
    let statement = try statement(sql)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.text(0)
  }

  package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
  package var changes: Int { Int(unsafe sqlite3_changes(handle)) }
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// The version of SQLite that the library is made of.
  package static var sqliteVersion: String { unsafe String(cString: sqlite3_libversion()) }

  /// The SQLCipher version of the library this program runs with, nil for plain SQLite.
  package static func cipherVersion() -> String? {
    var handle: OpaquePointer?
    defer { unsafe sqlite3_close_v2(handle) }
    var statement: OpaquePointer?
    guard unsafe sqlite3_open(":memory:", &handle) == SQLITE_OK,
      unsafe sqlite3_prepare_v2(handle, "PRAGMA cipher_version", -1, &statement, nil) == SQLITE_OK
    else { return nil }
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_step(statement) == SQLITE_ROW,
      let text = unsafe sqlite3_column_text(statement, 0)
    else { return nil }
    return unsafe String(cString: text)
  }

  /// The database's file, nil where it is in memory.
  private var path: String? {
    guard let name = unsafe sqlite3_db_filename(handle, "main") else { return nil }
    let path = unsafe String(cString: name)
    return path.isEmpty ? nil : path
  }

  /// Throws what the handle says about a code other than OK, ROW and DONE.
  func check(_ code: Int32) throws(RasdError) {
    switch ResultCode(rawValue: code) {
    case .ok, .row, .done: return
    default:
      let message = unsafe String(cString: sqlite3_errmsg(handle))
      var error = ResultCode(rawValue: code)
        .error(message: message, systemError: unsafe sqlite3_system_errno(handle))
      error.details["path"] = path.map { .text($0) }
      throw error
    }
  }
}
