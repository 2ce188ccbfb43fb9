internal import CSQLCipher
package import RasdModel

/// A prepared statement: bound by position (from 1), stepped, read by column (from 0), reset.
///
/// Those that a connection keeps end with it; others when nobody holds them any more.
@safe package final class Statement {
  private unowned let connection: Connection
  private var handle: OpaquePointer?

  init(_ connection: Connection, _ sql: String) throws(RasdError) {
    self.connection = connection
    try connection.check(
      unsafe sqlite3_prepare_v2(connection.handle, sql, -1, &handle, nil)
    )
  }

  deinit { finalize() }

  func finalize() {
    unsafe sqlite3_finalize(handle)
    unsafe handle = nil
  }

  // MARK: Binding

  package func bind(_ index: Int32, _ value: Int64) throws(RasdError) {
    try connection.check(unsafe sqlite3_bind_int64(handle, index, value))
  }

  package func bind(_ index: Int32, _ value: Int64?) throws(RasdError) {
    if let value { try bind(index, value) } else { try bindNull(index) }
  }

  package func bind(_ index: Int32, real value: Double) throws(RasdError) {
    try connection.check(unsafe sqlite3_bind_double(handle, index, value))
  }

  package func bindNull(_ index: Int32) throws(RasdError) {
    try connection.check(unsafe sqlite3_bind_null(handle, index))
  }

  package func bind(_ index: Int32, text: String) throws(RasdError) {
    var text = text
    let code = text.withUTF8 { bytes in
      unsafe sqlite3_bind_text64(
        handle,
        index,
        rasd_not_nil(bytes.baseAddress),
        UInt64(bytes.count),
        rasd_transient(),
        UInt8(SQLITE_UTF8)
      )
    }
    try connection.check(code)
  }

  /// Binds bytes that are UTF-8 text.
  package func bind(_ index: Int32, text: Span<UInt8>) throws(RasdError) {
    let code = unsafe text.withUnsafeBytes { bytes in
      unsafe sqlite3_bind_text64(
        handle,
        index,
        rasd_not_nil(bytes.baseAddress),
        UInt64(bytes.count),
        rasd_transient(),
        UInt8(SQLITE_UTF8)
      )
    }
    try connection.check(code)
  }

  package func bind(_ index: Int32, blob: Span<UInt8>) throws(RasdError) {
    try unsafe bind(index, blob: blob.bytes)
  }

  package func bind(_ index: Int32, blob: RawSpan) throws(RasdError) {
    let code = unsafe blob.withUnsafeBytes { bytes in
      unsafe sqlite3_bind_blob64(
        handle,
        index,
        rasd_not_nil(bytes.baseAddress),
        UInt64(bytes.count),
        rasd_transient()
      )
    }
    try connection.check(code)
  }

  package func bind(_ index: Int32, blob: [UInt8]) throws(RasdError) {
    try bind(index, blob: blob.span)
  }

  // MARK: Stepping

  /// True when a row stands ready, false when the statement is done (and already reset).
  package func step() throws(RasdError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code != SQLITE_DONE {
      defer { reset() }
      try connection.check(code)
    }
    reset()
    return false
  }

  /// Runs a statement that gives no rows.
  package func run() throws(RasdError) {
    while try step() {}
  }

  /// Ends a reading before its last row; bindings stay.
  package func reset() {
    unsafe sqlite3_reset(handle)
  }

  // MARK: Columns

  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  package func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(handle, column)
  }

  package func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  package func text(_ column: Int32) -> String {
    withBytes(column) { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  package func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }

  /// The column's bytes, text or blob, until the next step or reset; empty for NULL.
  package func withBytes<R, E: Error>(
    _ column: Int32,
    _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    return try unsafe body(buffer.bindMemory(to: UInt8.self).span)
  }
}
