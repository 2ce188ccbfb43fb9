internal import RasdMerge
internal import RasdModel
internal import SQLCipherKit

/// One pass over the observations for what a row, and what it names, say by themselves.
struct RowSurvey {
  private let store: Store
  /// Numbers of blobs that some attachment names.
  private var named = BitSet()
  /// Form versions that submissions were filled with, and how many.
  private var forms: [FormVersion: Int] = [:]
  private var twins = TwinFilter()

  init(_ store: Store) throws(RasdError) { self.store = store }

  mutating func run(_ body: (Finding) throws(RasdError) -> Void) throws(RasdError) {
    let select = try store.connection.prepare(
      """
      SELECT oid, tid, key, seen, \(FactsColumns.names) FROM observations ORDER BY oid
      """
    )
    while try select.step() {
      let id = select.integer(0)
      guard let table = store.names.table(select.integer(1)),
        let key = RowKey(table, text: select.text(2)),
        let columns = FactsColumns(select, from: 4, key: key),
        let seen = Seen(rawValue: select.integer(3))
      else { throw RasdError(.corrupt, .storeDamaged, ["observation": .number(id)]) }
      if !columns.notices.isEmpty { try notices(id, key, columns, seen, body) }
      if case .attachment(let facts) = columns.facts { try name(facts) }
      if seen != .no { try visible(key, columns.facts, seen, body) }
    }
    let asked = forms.map { (RowKey(form: $0.key.id, version: $0.key.version), $0.value) }
    for (form, count) in asked.sorted(by: { $0.0 < $1.0 }) where try !isHeld(form) {
      try body(Finding(.formAbsent, keys: [form], details: ["submissions": .number(Int64(count))]))
    }
    try blobsWithoutRow(body)
    try duplicates(body)
  }

  /// What was noticed when the row was read, of whatever is in the set.
  private func notices(
    _ id: Int64,
    _ key: RowKey,
    _ columns: FactsColumns,
    _ seen: Seen,
    _ body: (Finding) throws(RasdError) -> Void
  ) throws(RasdError) {
    if seen == .no, try store.table.activeDeliveries(of: id).isEmpty { return }
    for (notice, reason) in RowNotices.reasons where columns.notices.contains(notice) {
      try body(Finding(reason, keys: [key]))
    }
  }

  private mutating func name(_ facts: AttachmentFacts) throws(RasdError) {
    if let sha256 = facts.claim.sha256, let blob = try store.blobTable.number(of: sha256) {
      named.insert(Int(blob))
    }
  }

  private mutating func visible(
    _ key: RowKey,
    _ facts: RowFacts,
    _ seen: Seen,
    _ body: (Finding) throws(RasdError) -> Void
  ) throws(RasdError) {
    switch facts {
    case .submission(let facts):
      if facts.status.shown != facts.status { try body(Finding(.leaseAbandoned, keys: [key])) }
      if let form = facts.formId, let version = facts.formVersion {
        forms[FormVersion(id: form, version: version), default: 0] += 1
      }
      for item in facts.listed { try listed(item, key, body) }
      if let twin = facts.twinDigest { twins.add(twin) }
    case .attachment(let facts): try attachment(key, facts, body)
    case .form where seen == .contested:
      try body(Finding(.definitionHashConflict, keys: [key]))
    case .outbox(let facts) where facts.status == .dead:
      try body(Finding(.outboxDead, keys: [key]))
    default: break
    }
  }

  private func listed(
    _ item: ListedAttachment,
    _ submission: RowKey,
    _ body: (Finding) throws(RasdError) -> Void
  ) throws(RasdError) {
    let key = RowKey(attachment: item.id)
    let row = try seen(key)?.facts.attachment
    if let reason = AttachmentList.reason(item, row: row) {
      try body(Finding(reason, keys: [submission, key]))
    }
  }

  private func attachment(
    _ key: RowKey,
    _ facts: AttachmentFacts,
    _ body: (Finding) throws(RasdError) -> Void
  ) throws(RasdError) {
    if facts.isHostAsset { return }
    let isHeld =
      if let sha256 = facts.claim.sha256 { try store.isHeld(sha256) } else { false }
    switch BytesStanding(of: facts, isHeld: isHeld) {
    case .held: break
    case .purged: try body(Finding(.purged, keys: [key], blob: facts.claim.sha256))
    case .missing: try body(Finding(.bytesMissing, keys: [key], blob: facts.claim.sha256))
    }
    let submission = facts.submissionId.map { RowKey(submission: $0) }
    if let submission, try self.isHeld(submission) { return }
    try body(Finding(.submissionAbsent, keys: [key] + (submission.map { [$0] } ?? [])))
  }

  private func blobsWithoutRow(
    _ body: (Finding) throws(RasdError) -> Void
  ) throws(RasdError) {
    try store.forEachHeldBlob { (blob) throws(RasdError) in
      if !named.contains(Int(blob.number)) {
        try body(Finding(.blobWithoutRow, blob: blob.sha256))
      }
    }
  }

  /// Two ids with one content: the filter says which hashes may be doubled, a second pass
  /// over those finds them.
  private func duplicates(_ body: (Finding) throws(RasdError) -> Void) throws(RasdError) {
    guard !twins.suspects.isEmpty else { return }
    var groups: [SHA256Digest: [RowKey]] = [:]
    let select = try store.connection.prepare(
      "SELECT key, twin FROM observations WHERE tid = 2 AND seen > 0"
    )
    while try select.step() {
      guard let twin = select.digest(1), twins.suspects.contains(twin.words.0),
        let key = RowKey(.submissions, text: select.text(0))
      else { continue }
      groups[twin, default: []].append(key)
    }
    for (_, keys) in groups.sorted(by: { $0.key < $1.key }) where keys.count > 1 {
      try body(Finding(.duplicateContent, keys: keys.sorted()))
    }
  }

  private func seen(_ key: RowKey) throws(RasdError) -> StoredVariant? {
    try store.table.variants(of: try store.table.storedKey(key)).first { $0.seen != .no }
  }

  private func isHeld(_ key: RowKey) throws(RasdError) -> Bool { try seen(key) != nil }
}

/// What a submission says it was filled with.
private struct FormVersion: Hashable {
  let id: String
  let version: String
}

/// A set of small numbers, a bit each.
struct BitSet {
  private var words: [UInt64] = []

  mutating func insert(_ number: Int) {
    while words.count <= number / 64 { words.append(0) }
    words[number / 64] |= 1 << UInt64(number % 64)
  }

  func contains(_ number: Int) -> Bool {
    number / 64 < words.count && words[number / 64] & (1 << UInt64(number % 64)) != 0
  }
}

/// Which hashes may have come twice, in memory that depends on how many did, not on how many
/// came.
struct TwinFilter {
  /// Four MiB: among half a million hashes, one in a thousand is suspected for nothing.
  private static let bits: UInt64 = 1 << 25
  private var words = [UInt64](repeating: 0, count: Int(bits / 64))
  private(set) var suspects: Set<UInt64> = []
  /// Beyond these the store is full of one content, and naming some of it is enough.
  private static let mostSuspects = 100_000

  mutating func add(_ digest: SHA256Digest) {
    let wasThere = (mark(digest.words.0), mark(digest.words.1))
    if wasThere == (true, true), suspects.count < Self.mostSuspects {
      suspects.insert(digest.words.0)
    }
  }

  /// Sets the bit that a part of a hash stands for; answers whether it was set.
  private mutating func mark(_ part: UInt64) -> Bool {
    let bit = part & (Self.bits - 1)
    let (word, mask) = (Int(bit / 64), UInt64(1) << (bit % 64))
    defer { words[word] |= mask }
    return words[word] & mask != 0
  }
}
