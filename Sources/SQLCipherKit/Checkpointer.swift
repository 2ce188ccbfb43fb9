internal import CSQLCipher
package import RasdModel

/// Moves committed pages out of the write-ahead log into the database on a thread of its own,
/// while the writer goes on.
///
/// The log holds all that was committed, so what fails here loses nothing: the pages stay there
/// until the next attempt, and the last connection to close makes the last one.
// Sendable because its members are read and written under the monitor alone, but for the
// connection, which is the thread's.
final class Checkpointer: @unchecked Sendable {
  /// Pages that are worth a checkpoint; SQLite's own choice.
  private static let pagesACheckpoint = 1_000
  /// Pages the log may grow to (32 MiB); beyond them the writer waits.
  ///
  /// The log starts anew only when all of it is in the database and nobody writes.
  private static let mostPages = 8_192

  private let connection: Connection
  private let monitor = Monitor()
  private var isWanted = false
  private var isWorking = false
  private var isStopped = false
  /// Pages in the log after the last checkpoint, and written since.
  private var logged = 0
  private var written = 0
  private var thread: WorkerThread?

  /// `connection`: one that nobody else uses.
  init(_ connection: Connection) {
    self.connection = connection
    thread = WorkerThread { self.run() }
  }

  /// Whether there is a thread to do the work.
  var isThere: Bool { thread?.isThere ?? false }

  /// Hears from the writer that it committed so many pages.
  func committed(pages: Int) {
    monitor.locked {
      written += pages
      guard written >= Self.pagesACheckpoint else { return }
      ask()
      if logged + written > Self.mostPages {
        waitUntilIdle()
        logged = 0
      }
      written = 0
    }
  }

  /// Begins to carry over what there is.
  func begin() { monitor.locked { ask() } }

  /// Ends the thread, when it has done what was asked, and closes its connection.
  func stop() {
    monitor.locked {
      isStopped = true
      monitor.wakeAll()
    }
    thread?.join()
    thread = nil
    connection.close()
  }

  private func ask() {
    isWanted = true
    monitor.wakeAll()
  }

  private func waitUntilIdle() {
    while isWanted || isWorking { monitor.wait() }
  }

  private func run() {
    while takeRequest() {
      let pages = connection.checkpoint()
      monitor.locked {
        logged = pages ?? logged
        isWorking = false
        monitor.wakeAll()
      }
    }
  }

  private func takeRequest() -> Bool {
    monitor.locked {
      while !isWanted, !isStopped { monitor.wait() }
      guard isWanted else { return false }
      (isWanted, isWorking) = (false, true)
      return true
    }
  }
}

extension Connection {
  /// Lets another thread make the checkpoints of what is committed here.
  ///
  /// `other`: one to the same database, which nobody else uses.
  package func checkpointAside(_ other: Connection) throws(RasdError) {
    let aside = Checkpointer(other)
    guard aside.isThere else { return aside.stop() }
    checkpointer = aside
    try check(unsafe sqlite3_wal_autocheckpoint(handle, 0))
  }

  /// Begins to move all that is committed into the database, where a thread is there for it: what
  /// closing would have to do.
  package func beginCheckpoint() { checkpointer?.begin() }

  /// Pages written since this was last asked.
  func takePagesWritten() -> Int {
    var (pages, unused): (CInt, CInt) = (0, 0)
    unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &unused, 1)
    return Int(pages)
  }

  /// Moves what can be moved without making a writer wait; gives the pages in the log, nil where
  /// it failed.
  fileprivate func checkpoint() -> Int? {
    var (logged, moved): (CInt, CInt) = (0, 0)
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle,
      nil,
      SQLITE_CHECKPOINT_PASSIVE,
      &logged,
      &moved
    )
    return code == SQLITE_OK ? Int(logged) : nil
  }
}
