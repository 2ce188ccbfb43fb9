package import RasdModel

/// What a source is, as far as its unsealed part tells.
package struct SourceOpened: ReportEvent {
  package static let name = "source.opened"

  package enum Kind: String, Sendable { case export, store, database }

  package var path: String
  package var bytes: Int
  package var kind: Kind
  package var identity: SourceIdentity
  package var exportedAt: String?
  package var suite: String?
  /// The key slot that opened it: its type, and its key's id where it has one.
  package var slot: String?
  package var kid: String?

  package init(
    path: String,
    bytes: Int,
    kind: Kind,
    identity: SourceIdentity,
    exportedAt: String?,
    suite: String?,
    slot: String?,
    kid: String?
  ) {
    self.path = path
    self.bytes = bytes
    self.kind = kind
    self.identity = identity
    self.exportedAt = exportedAt
    self.suite = suite
    self.slot = slot
    self.kid = kid
  }

  package var members: Members {
    var members = Members()
    members.add("path", path)
    members.add("bytes", bytes)
    members.add("kind", kind.rawValue)
    members.add("identity", identity.members)
    members.add("exportedAt", exportedAt)
    members.add("suite", suite)
    members.add("slot", slot)
    members.add("kid", kid)
    return members
  }
}

/// What tells a source from every other.
package struct SourceIdentity: Hashable, Sendable {
  package var exportId: String?
  package var manifest: SHA256Digest?
  /// SHA-256 of a database file.
  package var file: SHA256Digest?
  package var namespace: String?

  package init(
    exportId: String? = nil,
    manifest: SHA256Digest? = nil,
    file: SHA256Digest? = nil,
    namespace: String? = nil
  ) {
    self.exportId = exportId
    self.manifest = manifest
    self.file = file
    self.namespace = namespace
  }

  package var members: Members {
    var members = Members()
    members.add("exportId", exportId)
    members.add("manifestSha256", manifest?.hex)
    members.add("fileSha256", file?.hex)
    members.add("namespace", namespace)
    return members
  }
}

/// A source is proved whole.
package struct SourceVerified: ReportEvent {
  package static let name = "source.verified"

  package var path: String
  package var rows: [(table: TableName, rows: Int)]
  package var blobs: Int
  package var blobBytes: Int
  /// What was proved: `structure`, `seals`, `order`, `counts`, `hashes`, `rows`, `blobs`.
  package var proved: [String]

  package init(
    path: String,
    rows: [(table: TableName, rows: Int)],
    blobs: Int,
    blobBytes: Int,
    proved: [String]
  ) {
    self.path = path
    self.rows = rows
    self.blobs = blobs
    self.blobBytes = blobBytes
    self.proved = proved
  }

  package var members: Members {
    var members = Members()
    members.add("path", path)
    var tables = Members()
    for (table, count) in rows { tables.add(table.text, count) }
    members.add("rows", tables)
    members.add("blobs", blobs)
    members.add("blobBytes", blobBytes)
    members.add("proved", proved)
    return members
  }
}

/// A source is refused whole; the rest of the run goes on.
package struct SourceRefused: ReportEvent {
  package static let name = "source.refused"

  package var path: String
  package var error: RasdError
  /// Words of the command that helps; empty where none does.
  package var help: [String]

  package init(path: String, error: RasdError, help: [String]) {
    self.path = path
    self.error = error
    self.help = help
  }

  package var members: Members {
    var members = Members()
    members.add("path", path)
    members.add(failure: error)
    var rest = error.details
    rest["path"] = nil
    members.add("where", Members(details: rest))
    if !help.isEmpty { members.add("help", help) }
    return members
  }
}

/// A source is dealt with: what became of its rows.
package struct SourceDone: ReportEvent {
  package static let name = "source.done"

  package var path: String
  package var tables: TableTally
  /// It had been merged before and was recognised without reading it again.
  package var known: Bool
  package var seconds: Double

  package init(path: String, tables: TableTally, known: Bool, seconds: Double) {
    self.path = path
    self.tables = tables
    self.known = known
    self.seconds = seconds
  }

  package var members: Members {
    var members = Members()
    members.add("path", path)
    members.add("tables", tables.members)
    members.add("known", known)
    members.add("seconds", ReportClock.seconds(seconds))
    return members
  }
}
