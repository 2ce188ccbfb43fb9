package import RasdModel

extension PageSource {
  /// What a person knows of the database; everything left out is found by trial.
  package struct Options: Sendable {
    /// Each is tried on every page that fails.
    package var keys: [DatabaseKey] = []
    /// The salt of a file whose page 1 is lost, 16 bytes each; older copies may give more.
    package var salts: [[UInt8]] = []
    package var cipher = CipherSettings()
    /// Page size of a plain file whose header is gone.
    package var pageSize: Int?

    package init() {}
  }

  /// Opens a database with the sidecars that may belong to it.
  ///
  /// Sidecars that turn out to be another database's are named in the findings and left out.
  ///
  /// - Throws: `keyUnavailable` with `wrong-key`, `no-key-given` or `salt-lost`; `corrupt` with
  ///   `empty` or `not-a-database`.
  package static func open(
    database: ByteStore,
    wals: [ByteStore] = [],
    journals: [ByteStore] = [],
    options: Options = Options()
  ) throws(RasdError) -> PageSource {
    guard database.size > 0 || !wals.isEmpty || !journals.isEmpty else {
      throw RasdError(.corrupt, .empty)
    }
    var opening = PageSourceOpening(database: database, options: options)
    opening.readSidecars(wals, journals)
    try opening.findLayout()
    return opening.source()
  }
}
