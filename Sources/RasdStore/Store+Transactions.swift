internal import RasdCrypto
package import RasdModel
internal import SQLCipherKit

// A dry run is one transaction that is rolled back; batches within it are savepoints.

extension Store {
  func beginTransaction() throws(RasdError) {
    guard isRehearsal else { return try connection.begin() }
    // SQLite ends a transaction itself where the disk is full: nothing may follow it for real.
    guard connection.isInTransaction else { throw RasdError(.quota, .diskFull) }
    try connection.execute("SAVEPOINT batch")
  }

  /// Lets a thread beside this one carry what is committed into the database.
  package func checkpointAside() throws(RasdError) {
    let key = vault.keys.database
    let other = try Connection(path: directory.database, access: .write, rawKey: key.bytes)
    try connection.checkpointAside(other)
  }

  func commitTransaction() throws(RasdError) {
    if isRehearsal { try connection.execute("RELEASE batch") } else { try connection.commit() }
  }

  func transaction(_ body: () throws(RasdError) -> Void) throws(RasdError) {
    try beginTransaction()
    do throws(RasdError) {
      try body()
      try commitTransaction()
    } catch {
      forgetUncommitted()
      throw error
    }
  }

  /// Undoes the open batch, and what memory knows of it.
  func forgetUncommitted() {
    vault.forgetWritten()
    if isRehearsal {
      try? connection.execute("ROLLBACK TO batch; RELEASE batch")
    } else {
      connection.rollback()
    }
    reload()
  }

  /// Runs `body` as if it were for good and then undoes all of it: a dry run.
  ///
  /// Blobs are counted as held, not written.
  package func rehearse<R>(_ body: () throws(RasdError) -> R) throws(RasdError) -> R {
    try connection.begin()
    isRehearsal = true
    defer {
      isRehearsal = false
      connection.rollback()
      reload()
    }
    return try body()
  }
}
