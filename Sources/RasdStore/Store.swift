internal import CGlibc
package import RasdCrypto
package import RasdModel
internal import SQLCipherKit

/// A consolidated store: one directory, one writer at a time, everything in it sealed.
///
/// It is used by the thread that opened it; only `vault` is for all.
package final class Store {
  package enum Access: Hashable, Sendable {
    case writing
    /// One snapshot of a store that another run may be writing meanwhile.
    case reading
    /// A store that is somebody's input: nothing in it is written, made or locked.
    case readingUntouched
  }

  package let access: Access
  package let vault: BlobVault
  let directory: StoreDirectory
  let connection: Connection
  let names: Names
  let ledger: Ledger
  let table: ObservationTable
  let resolver: Resolver
  let blobTable: BlobTable
  var slotsFile: SlotsFile
  let key: ContentKey
  private var lock: StoreLock?
  private var knownOrg: String?
  /// Whether all that is written is going to be undone.
  var isRehearsal = false

  package var path: String { directory.path }
  package var id: ExportID { slotsFile.storeId }

  // MARK: Making and opening

  /// Makes a store with the slots that `wrap` makes for its new key.
  ///
  /// `org`: whose data it may hold; nil takes it from its first source.
  /// Errors: `store-exists`, `store-locked`, or what writing says.
  package static func create(
    at path: String,
    org: String? = nil,
    slots wrap: (ContentKey, ExportID) throws(RasdError) -> [KeySlot]
  ) throws(RasdError) -> Store {
    let directory = StoreDirectory(path: path)
    do throws(RasdError) {
      try directory.make()
    } catch {
      // The other thing there may be the same store, which another run is just making.
      if error.reason == .storeExists, directory.holdsStore { _ = try StoreLock.take(directory) }
      throw error
    }
    let lock = try StoreLock.take(directory)
    guard !directory.holdsStore else {
      throw RasdError(.unavailable, .storeExists, ["path": .text(path)])
    }
    let key = ContentKey.make()
    guard let id = ExportID(UUIDText.version4(random: SecureRandom.bytes(16))) else {
      throw RasdError(.unavailable, .ioError, ["path": .text(path)])
    }
    let slots = SlotsFile(storeId: id, key: key, slots: try wrap(key, id))
    try File.makeDirectory(directory.blobs)
    try File.makeDirectory(directory.spool)
    // The slots come first: a run killed after them leaves a store that opens, and empty.
    try slots.write(directory)
    let store = try Store(directory, lock, slots, key, .writing, creating: true)
    if let org { try store.claim(org: org) }
    return store
  }

  /// Whether a store stands there, whole or not.
  package static func exists(at path: String) -> Bool { StoreDirectory(path: path).holdsStore }

  /// Opens a store with whichever key fits a slot.
  ///
  /// Where nothing can be written (a read-only medium, somebody else's folder) a store is read as
  /// it stands.
  ///
  /// Errors: `store-missing`, `store-locked`, `wrong-key`, `no-matching-slot`,
  ///   `store-damaged`, `migration-changed`; `unsupported-version` when a newer version made
  ///   it and it is to be written; `store-unsettled` for an input that a killed run left.
  package static func open(
    at path: String,
    credentials: Credentials,
    access: Access
  ) throws(RasdError) -> Store {
    let directory = StoreDirectory(path: path)
    guard directory.holdsStore else {
      throw RasdError(.notOpen, .storeMissing, ["path": .text(path)])
    }
    // A reader beside a writer needs the index of the log, which is a file to be written.
    let access = access == .reading && !directory.isWritable ? .readingUntouched : access
    let lock = access == .writing ? try StoreLock.take(directory) : nil
    let slots = try SlotsFile.read(directory)
    let key = try slots.unlock(credentials)
    if directory.hasLostDatabase {
      throw RasdError(.corrupt, .storeDamaged, ["path": .text(directory.database)])
    }
    let isUnbegun = directory.isUnbegun
    switch access {
    case .writing:
      try directory.clearSpool()
      try slots.mend(directory)
    case .reading, .readingUntouched:
      if isUnbegun { throw RasdError(.notOpen, .storeMissing, ["path": .text(path)]) }
      if access == .readingUntouched, directory.hasLog {
        throw RasdError(.locked, .storeUnsettled, ["path": .text(path)])
      }
    }
    return try Store(directory, lock, slots, key, access, creating: isUnbegun)
  }

  init(
    _ directory: StoreDirectory,
    _ lock: StoreLock?,
    _ slots: SlotsFile,
    _ key: ContentKey,
    _ access: Access,
    creating: Bool,
    migrations: [Migration] = Schema.migrations
  ) throws(RasdError) {
    let keys = StoreKeys(key, of: slots.storeId)
    // SQLite gives its other files the mode of this one.
    if creating { try directory.makeDatabaseFile() }
    let connection: Connection
    do {
      connection = try Connection(
        path: directory.database,
        access: creating ? .create : access.ofDatabase,
        rawKey: keys.database.bytes
      )
    } catch  where error.reason == .wrongKey {
      // The slots opened and committed to this key: it is the page that is wrong.
      throw RasdError(.corrupt, .storeDamaged, ["path": .text(directory.database)])
    }
    let migrator = Migrator(connection: connection, migrations: migrations)
    try migrator.prepare(for: access)
    if access == .reading { try connection.execute("BEGIN") }
    self.directory = directory
    self.lock = lock
    self.access = access
    self.key = key
    self.connection = connection
    slotsFile = slots
    vault = BlobVault(directory: directory, keys: keys)
    names = try Names(connection)
    ledger = try Ledger(connection, names)
    table = try ObservationTable(connection, names, ledger)
    resolver = try Resolver(table)
    blobTable = try BlobTable(connection)
    knownOrg = try connection.text("SELECT value FROM settings WHERE name = 'org'")
  }

  /// Lets go of the pages that writing kept at hand, and gives all free memory back: what follows
  /// reads from end to end, partly on another thread, which would not find it among its own.
  package func forgetPages() throws(RasdError) {
    try connection.shrink()
    malloc_trim(0)
  }

  /// Closes the database and gives the lock back.
  package func close() {
    vault.forgetWritten()
    connection.close()
    lock = nil
  }

  // MARK: Whose data

  /// The organisation whose namespaces it holds; nil until a first source says so.
  package var org: String? { knownOrg }

  /// Makes the store an organisation's, or refuses where it is another's.
  package func claim(org: String) throws(RasdError) {
    if let knownOrg {
      guard knownOrg == org else {
        throw RasdError(
          .unavailable,
          .foreignNamespace,
          ["org": .text(org), "store": .text(knownOrg)]
        )
      }
      return
    }
    let insert = try connection.statement("INSERT OR REPLACE INTO settings VALUES ('org', ?1)")
    try insert.bind(1, text: org)
    try insert.run()
    knownOrg = org
  }

  /// Reads again what memory holds of the database.
  func reload() {
    resolver.crowds.forgetAll()
    try? names.reload()
    try? ledger.reload()
    knownOrg = (try? connection.text("SELECT value FROM settings WHERE name = 'org'")) ?? nil
  }

  /// Stands for a private text in a report: an HMAC of it under a key of this store.
  package var hide: @Sendable (String) -> String {
    let key = vault.keys.reports
    return { text in
      Hex.encode(Array(HMAC.tag(.sha256, key: key.bytes, Array(text.utf8).span).prefix(8)))
    }
  }
}

extension Store.Access {
  fileprivate var ofDatabase: Connection.Access {
    switch self {
    case .writing: .write
    case .reading: .read
    case .readingUntouched: .readUntouched
    }
  }
}
