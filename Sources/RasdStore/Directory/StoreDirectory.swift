internal import Glibc
internal import RasdModel

/// Where a store keeps what.
///
///     keys.json  keys.copy.json   the key slots, twice
///     store.db   (-wal, -shm)     observations, ledger, what a reader sees
///     blobs/ab/…                  sealed blobs, by the HMAC of their hash
///     spool/                      what a run writes before it is whole
///     lock
struct StoreDirectory: Sendable {
  let path: String

  var keys: String { path + "/keys.json" }
  var keysCopy: String { path + "/keys.copy.json" }
  var database: String { path + "/store.db" }
  var blobs: String { path + "/blobs" }
  var spool: String { path + "/spool" }
  var lock: String { path + "/lock" }

  var holdsStore: Bool { File.exists(keys) || File.exists(keysCopy) || File.exists(database) }

  /// Whether this user can write in it.
  var isWritable: Bool { unsafe access(path, W_OK) == 0 }

  /// Whether its making was cut short after the slots: nothing is in it yet.
  var isUnbegun: Bool { !File.exists(database) && (File.names(in: blobs) ?? []).isEmpty }

  /// Whether blobs stand there and the database that names them is gone or empty.
  ///
  /// No run leaves that: a blob gets its name after the schema is written.
  var hasLostDatabase: Bool {
    let bytes = (try? File.open(database).size()) ?? 0
    return bytes == 0 && !(File.names(in: blobs) ?? []).isEmpty
  }

  /// Whether commits stand in the log that are not in the database file yet.
  var hasLog: Bool { ((try? File.open(database + "-wal").size()) ?? 0) > 0 }

  /// What may stand in a directory that is no store yet: the making of one, cut short.
  private static let beginnings: Set = ["lock", "blobs", "spool", "keys.json.new"]

  /// Makes the directory, which may exist if nothing is in it.
  func make() throws(RasdError) {
    if try !File.makeDirectory(path) {
      if unsafe access(path, R_OK | X_OK) != 0 { throw File.systemError(errno, path) }
      guard let names = File.names(in: path), Self.beginnings.isSuperset(of: names)
      else {
        throw RasdError(.unavailable, .storeExists, ["path": .text(path)])
      }
      guard unsafe chmod(path, File.directoryMode) == 0 else { throw File.systemError(errno, path) }
    }
  }

  func makeDatabaseFile() throws(RasdError) { _ = try File.open(database, O_RDWR | O_CREAT) }

  /// What a killed run left half written is nobody's: it goes.
  func clearSpool() throws(RasdError) {
    for name in File.names(in: spool) ?? [] { File.remove(spool + "/" + name) }
    for name in [keys, keysCopy] { File.remove(name + ".new") }
  }
}
