internal import RasdModel
internal import SQLCipherKit

/// A row's facts as the columns of `observations`, with one meaning a table.
///
/// | column | submissions | forms | attachments | datasets | outbox | kv |
/// |---|---|---|---|---|---|---|
/// | `status` | status | | status | 1: tombstone | status | |
/// | `rev`, `server_rev` | revs | | | | | |
/// | `at`, `at_part` | updatedAt | publishedAt | updatedAt | updatedAt | | updatedAt |
/// | `digest` | content | definition | sha256 | | | |
/// | `twin` | content without ids | | | | | |
/// | `ref` | formId | definitionHash | submissionId | | targetId | |
/// | `ref_version` | formVersion | | | | kind | |
/// | `size` | | | bytes | | | |
/// | `listed` | attachment list | | | | | |
struct FactsColumns {
  var facts: RowFacts
  var notices: RowNotices

  /// Binds columns `status` to `notices` from position `first`, twelve in all.
  func bind(to statement: Statement, from first: Int32) throws(RasdError) {
    for i in first..<(first + 11) { try statement.bindNull(i) }
    try statement.bind(first + 11, notices.rawValue)
    switch facts {
    case .submission(let facts):
      try statement.bind(first, Int64(facts.status.rank))
      try statement.bind(first + 1, facts.clientRev)
      try statement.bind(first + 2, facts.serverRev)
      try bind(facts.updatedAt, to: statement, from: first + 3)
      try statement.bind(first + 5, facts.contentDigest)
      try statement.bind(first + 6, facts.twinDigest)
      try statement.bind(first + 7, optionalText: facts.formId)
      try statement.bind(first + 8, optionalText: facts.formVersion)
      if !facts.listed.isEmpty {
        try statement.bind(first + 10, blob: ListedColumn.encode(facts.listed))
      }
    case .form(let facts):
      try bind(facts.publishedAt, to: statement, from: first + 3)
      try statement.bind(first + 5, facts.definitionDigest)
      try statement.bind(first + 7, optionalText: facts.declaredHash)
    case .attachment(let facts):
      try statement.bind(first, Int64(facts.status.rank))
      try bind(facts.updatedAt, to: statement, from: first + 3)
      try statement.bind(first + 5, facts.claim.sha256)
      try statement.bind(first + 7, optionalText: facts.submissionId)
      try statement.bind(first + 9, facts.claim.bytes)
    case .dataset(let facts):
      try statement.bind(first, facts.isTombstone ? 1 : 0)
      try bind(facts.updatedAt, to: statement, from: first + 3)
    case .outbox(let facts):
      try statement.bind(first, Int64(OutboxStatus.allCases.firstIndex(of: facts.status) ?? 0))
      try statement.bind(first + 7, optionalText: facts.targetId)
      try statement.bind(first + 8, optionalText: facts.kind)
    case .kv(let facts):
      try bind(facts.updatedAt, to: statement, from: first + 3)
    case .host: break
    }
  }

  private func bind(
    _ instant: Instant?,
    to statement: Statement,
    from index: Int32
  ) throws(RasdError) {
    guard let instant else { return }
    try statement.bind(index, instant.seconds)
    try statement.bind(index + 1, Int64(bitPattern: instant.attoseconds))
  }

  /// Reads the same columns back; nil where they hold what no row of the table can.
  init?(_ statement: Statement, from first: Int32, key: RowKey) {
    notices = RowNotices(rawValue: statement.integer(first + 11))
    var at: Instant?
    if let seconds = statement.optionalInteger(first + 3) {
      at = Instant(
        seconds: seconds,
        attoseconds: UInt64(bitPattern: statement.integer(first + 4))
      )
    }
    let status = Int(statement.integer(first))
    let id = key.parts.last ?? ""
    switch key.table {
    case .submissions:
      guard let digest = statement.digest(first + 5),
        let status = SubmissionStatus.allCases.first(where: { $0.rank == status })
      else { return nil }
      facts = .submission(
        SubmissionFacts(
          id: id,
          status: status,
          clientRev: statement.integer(first + 1),
          serverRev: statement.optionalInteger(first + 2),
          updatedAt: at,
          contentDigest: digest,
          twinDigest: statement.digest(first + 6),
          formId: statement.optionalText(first + 7),
          formVersion: statement.optionalText(first + 8),
          listed: ListedColumn.decode(statement, first + 10),
          hasStaleChecksum: notices.contains(.staleChecksum)
        )
      )
    case .forms:
      facts = .form(
        FormFacts(
          id: key.parts.first ?? "",
          version: id,
          declaredHash: statement.optionalText(first + 7),
          definitionDigest: statement.digest(first + 5),
          publishedAt: at
        )
      )
    case .attachments:
      guard let status = AttachmentStatus.allCases.first(where: { $0.rank == status }) else {
        return nil
      }
      let submission = statement.optionalText(first + 7)
      facts = .attachment(
        AttachmentFacts(
          id: id,
          submissionId: submission,
          status: status,
          updatedAt: at,
          claim: BlobClaim(
            bytes: statement.optionalInteger(first + 9),
            sha256: statement.digest(first + 5),
            isMalformed: notices.contains(.claimMalformed)
          ),
          isHostAsset: submission == "$asset" && AttachmentFacts.mayBeHostAsset(id)
        )
      )
    case .datasets:
      facts = .dataset(
        DatasetFacts(
          name: key.parts.first ?? "",
          key: id,
          updatedAt: at,
          isTombstone: status == 1
        )
      )
    case .outbox:
      guard OutboxStatus.allCases.indices.contains(status) else { return nil }
      facts = .outbox(
        OutboxFacts(
          id: id,
          kind: statement.optionalText(first + 8),
          targetId: statement.optionalText(first + 7),
          status: OutboxStatus.allCases[status],
          isDerived: false
        )
      )
    case .kv: facts = .kv(KVFacts(key: id, updatedAt: at))
    case .host: facts = .host
    }
  }

  init(_ row: Row) {
    facts = row.facts
    notices = RowNotices(row)
  }

  static let names =
    "status, rev, server_rev, at, at_part, digest, twin, ref, ref_version, size, listed, notices"
}
