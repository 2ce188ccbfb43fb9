package import RasdModel

extension PageSource {
  /// What a person knows of the database; everything left out is found by trial.
  package struct Options: Sendable {
    package var keys: [DatabaseKey] = []
    package init() {}
  }

  /// Opens a database with the sidecars that may belong to it.
  ///
  /// - Throws: `keyUnavailable` with `wrong-key`, `no-key-given` or `salt-lost`; `corrupt` with
  ///   `empty` or `not-a-database`.
  package static func open(
    database: ByteStore,
    wals: [ByteStore] = [],
    journals: [ByteStore] = [],
    options: Options = Options()
  ) throws(RasdError) -> PageSource {
    guard database.size > 0 else { throw RasdError(.corrupt, .empty) }
    guard let header = DatabaseHeader(database.bytes(at: 0, count: DatabaseHeader.size)) else {
      throw RasdError(.corrupt, .notADatabase)
    }
    let layout = PageLayout(pageSize: header.pageSize, reserved: header.reserved, start: 0)
    return PageSource(database: database, layout: layout, header: header, findings: [])
  }
}

/// A key of a SQLCipher database as it was given.
package enum DatabaseKey: Sendable {
  /// 32 bytes used as they are, with the salt where it came with them (96 hex digits).
  case raw([UInt8], salt: [UInt8]?)
  /// A passphrase's bytes, put through PBKDF2 with the salt.
  case passphrase([UInt8])
}
