/// A row that passed every check: its exact text, what it is called and what is known of it.
package struct Row: Hashable, Sendable {
  package let table: TableName
  package let key: RowKey
  /// The line as delivered, without its LF.
  package let text: [UInt8]
  /// Where in `text` the value of its large member stands, a submission's `data` or a form's
  /// `definition`; empty where there is none.
  package let body: Range<Int>
  /// SHA-256 of the row's canonical form.
  package let hash: SHA256Digest
  package let facts: RowFacts
  package let notices: [RowNotice]
  /// The latest of the row's timestamps that say when something happened.
  package let latest: Instant?

  package init(
    table: TableName,
    key: RowKey,
    text: [UInt8],
    body: Range<Int> = 0..<0,
    hash: SHA256Digest,
    facts: RowFacts,
    notices: [RowNotice] = [],
    latest: Instant? = nil
  ) {
    self.table = table
    self.key = key
    self.text = text
    self.body = body
    self.hash = hash
    self.facts = facts
    self.notices = notices
    self.latest = latest
  }
}

/// Something about a good row that a person should see.
package struct RowNotice: Hashable, Sendable {
  package let reason: Reason
  /// The member it is about, where there is one.
  package let member: String?

  package init(_ reason: Reason, member: String? = nil) {
    self.reason = reason
    self.member = member
  }
}
