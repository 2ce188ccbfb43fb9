package import RasdModel

/// Where a row came from.
package struct Provenance: Hashable, Sendable {
  package var identity: SourceIdentity
  /// In an export: the entry its line stands in and the line's number in the table, from 1.
  package var entry: String?
  package var line: Int?
  /// In a database: page, cell, offset in the file, the page's verdict and the row's kind.
  package var page: Int?
  package var cell: Int?
  package var offset: Int?
  package var verdict: String?
  package var kind: RowKind?

  package init(identity: SourceIdentity, entry: String? = nil, line: Int? = nil) {
    self.identity = identity
    self.entry = entry
    self.line = line
  }

  package var members: Members {
    var members = identity.members
    members.add("entry", entry)
    members.add("line", line)
    members.add("page", page)
    members.add("cell", cell)
    members.add("offset", offset)
    members.add("verdict", verdict)
    members.add("kind", kind?.rawValue)
    return members
  }
}

/// A row that is news: rejected, in conflict or salvaged; every row where all are asked for.
package struct RowEvent: ReportEvent {
  package static let name = "row"

  /// A table's name, which in a database may be anything at all.
  package var table: String
  /// The key, as `KeyShade` lets it be seen; nil where the row has none.
  package var key: JSONValue?
  package var outcome: RowOutcome?
  package var grade: Grade?
  /// Why it was rejected.
  package var error: RasdError?
  /// Why it was kept, where that needs saying.
  package var reason: Reason?
  package var hash: SHA256Digest?
  /// Where it differs from what is seen (RFC 6901), for a conflict.
  package var differs: [String]
  package var provenance: Provenance?

  package init(
    table: String,
    key: JSONValue?,
    outcome: RowOutcome? = nil,
    grade: Grade? = nil,
    error: RasdError? = nil,
    hash: SHA256Digest? = nil,
    differs: [String] = [],
    provenance: Provenance? = nil
  ) {
    self.table = table
    self.key = key
    self.outcome = outcome
    self.grade = grade
    self.error = error
    self.hash = hash
    self.differs = differs
    self.provenance = provenance
  }

  package var members: Members {
    var members = Members()
    members.add("table", table)
    members.add("key", key)
    members.add("outcome", outcome?.rawValue)
    members.add("grade", grade?.rawValue)
    members.add("reason", reason?.rawValue)
    if let error {
      members.add(failure: error)
      if !error.details.isEmpty { members.add("details", Members(details: error.details)) }
    }
    members.add("hash", hash?.hex)
    if !differs.isEmpty { members.add("differs", differs) }
    members.add("provenance", provenance?.members)
    return members
  }
}

/// A blob that is news: held for the first time, healed, or not what its row says.
package struct BlobEvent: ReportEvent {
  package static let name = "blob"

  package enum Outcome: String, Sendable { case held, quarantined, missing, purged, skipped }

  package var id: String
  package var sha256: SHA256Digest?
  package var bytes: Int
  package var outcome: Outcome
  package var error: RasdError?
  package var provenance: Provenance?

  package init(
    id: String,
    sha256: SHA256Digest?,
    bytes: Int,
    outcome: Outcome,
    error: RasdError? = nil,
    provenance: Provenance? = nil
  ) {
    self.id = id
    self.sha256 = sha256
    self.bytes = bytes
    self.outcome = outcome
    self.error = error
    self.provenance = provenance
  }

  package var members: Members {
    var members = Members()
    members.add("id", id)
    members.add("sha256", sha256?.hex)
    members.add("bytes", bytes)
    members.add("outcome", outcome.rawValue)
    if let error { members.add(failure: error) }
    members.add("provenance", provenance?.members)
    return members
  }
}

/// A damaged or unknown page of a database.
package struct PageEvent: ReportEvent {
  package static let name = "page"

  package var number: Int
  package var offset: Int
  package var kind: String
  package var verdict: String
  /// What was lost with it.
  package var details: [String: RasdError.Detail]

  package init(
    number: Int,
    offset: Int,
    kind: String,
    verdict: String,
    details: [String: RasdError.Detail] = [:]
  ) {
    self.number = number
    self.offset = offset
    self.kind = kind
    self.verdict = verdict
    self.details = details
  }

  package var members: Members {
    var members = Members()
    members.add("number", number)
    members.add("offset", offset)
    members.add("class", kind)
    members.add("verdict", verdict)
    if !details.isEmpty { members.add("details", Members(details: details)) }
    return members
  }
}
