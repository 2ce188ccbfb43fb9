package import RasdModel

extension Connection {
  /// Empties the page cache and keeps it small from now on.
  package func shrink() throws(RasdError) {
    try execute("PRAGMA cache_size = -\(Self.smallCache); PRAGMA shrink_memory")
  }

  /// Runs `body` in one transaction that is committed when it returns and rolled back when it
  /// throws; the write lock is taken at the start.
  package func transaction<R>(_ body: () throws(RasdError) -> R) throws(RasdError) -> R {
    try begin()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollback()
      throw error
    }
  }

  package func begin() throws(RasdError) { try statement("BEGIN IMMEDIATE").run() }

  package func commit() throws(RasdError) {
    try statement("COMMIT").run()
    if let checkpointer { checkpointer.committed(pages: takePagesWritten()) }
  }

  /// Rolls back whatever is open; SQLite itself may already have done so, on a full disk.
  package func rollback() {
    guard isInTransaction else { return }
    try? execute("ROLLBACK")
  }
}
