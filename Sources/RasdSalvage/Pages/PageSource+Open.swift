internal import RasdCrypto
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

    /// Without what no file can have: a number that is out of range is as good as none.
    var checked: Options {
      var options = self
      options.salts.removeAll { $0.count != CipherFormat.saltSize }
      if let size = pageSize, !PageLayout.isPageSize(size) { options.pageSize = nil }
      if let header = cipher.plaintextHeader, header % 16 != 0 || header < 0 || header > 400 {
        options.cipher.plaintextHeader = nil
      }
      return options
    }
  }

  /// Opens a database with the sidecars that may belong to it.
  ///
  /// Sidecars that turn out to be another database's are named in the findings and left out, and so
  /// are older copies that can't be read or have pages of another size.
  ///
  /// - Throws: `keyUnavailable` with `wrong-key`, `no-key-given`, `salt-lost` or, for a raw key
  ///   that is not 32 bytes, `key-file-invalid`; `corrupt` with `empty` or `not-a-database`.
  package static func open(
    database: ByteStore,
    wals: [ByteStore] = [],
    journals: [ByteStore] = [],
    olderCopies: [ByteStore] = [],
    options: Options = Options()
  ) throws(RasdError) -> PageSource {
    guard database.size > 0 || !wals.isEmpty || !journals.isEmpty else {
      throw RasdError(.corrupt, .empty)
    }
    for case .raw(let key, _) in options.keys where key.count != CipherFormat.keySize {
      throw RasdError(.keyUnavailable, .keyFileInvalid)
    }
    var opening = PageSourceOpening(database: database, options: options.checked)
    opening.readSidecars(wals, journals)
    try opening.findLayout()
    opening.readOlderCopies(olderCopies)
    return opening.source()
  }
}
