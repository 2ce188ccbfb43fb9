internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

/// Takes one source's rows and blobs into the store, batch by batch.
///
/// A batch is one transaction: blobs are safe on disk, then rows, then the source's cursor. A
/// run killed at any instant leaves the store at its last batch, and `Store.begin` goes on from
/// there. When anything here throws, the batch is rolled back and the session has ended.
package final class SourceSession {
  let store: Store
  let policy: IntakePolicy
  /// Whether a store's export brings its observations before the rows they may leave out.
  let observationsComeFirst: Bool
  var record: SourceRecord
  private let namespace: Int
  private var isInBatch = false
  private lazy var quarantine = Quarantine(store, record.number)

  /// Its number in the ledger.
  package var source: Int { record.number }
  /// The path it was given by.
  package var path: String { record.description.label }
  /// Whether it is a store's export, whose observation lines are the rows read.
  package var isOfStore: Bool { record.description.origin == .store }
  /// Where to read on: all before it is committed.
  package var cursor: SourceCursor { record.cursor }
  /// Outcomes of all the source's rows so far, those of an earlier run among them.
  package var tally: [TableName: RowTally] { record.tally }

  init(
    _ store: Store,
    _ record: SourceRecord,
    _ policy: IntakePolicy,
    tables: [TableName]
  ) throws(RasdError) {
    self.store = store
    self.record = record
    self.policy = policy
    namespace = try store.names.number(record.description.namespace)
    let first = tables.firstIndex(of: ObservationLine.table) ?? tables.endIndex
    observationsComeFirst = tables[..<first].allSatisfy { !ObservationLine.mayLeaveOut($0) }
  }

  // MARK: Rows

  /// Takes a row of one of the source's tables.
  ///
  /// Of a store's export these are display: nil for those, except where an observation line
  /// left its row to them.
  package func add(_ prepared: PreparedRow) throws(RasdError) -> RowReceipt? {
    try beginning { () throws(RasdError) in
      if record.description.origin == .store { return try addDisplayed(prepared) }
      let row = prepared.row
      if row.table == ObservationLine.table {
        return try quarantined(
          row.table,
          line: nil,
          reason: .rowInvalid,
          fault: "reserved-table",
          key: row.key,
          text: row.text
        )
      }
      if let reason = reasonToSkip(row.facts) {
        return counted(RowReceipt(.kept, table: row.table, key: row.key, reason: reason))
      }
      return try take(prepared, namespaces: [namespace], isIncoming: true)
    }
  }

  /// Takes a line that is no row: it is kept aside, never an observation.
  package func reject(
    _ table: TableName,
    line: Int,
    _ rejection: RowRejection,
    text: [UInt8]
  ) throws(RasdError) -> RowReceipt {
    try beginning { () throws(RasdError) in
      try quarantined(
        table,
        line: line,
        reason: rejection.reason,
        fault: rejection.fault.rawValue,
        key: rejection.key,
        text: text
      )
    }
  }

  func quarantined(
    _ table: TableName,
    line: Int?,
    reason: Reason,
    fault: String,
    key: RowKey?,
    text: [UInt8]
  ) throws(RasdError) -> RowReceipt {
    try quarantine.add(table, line: line, reason: reason, fault: fault, key: key, text: text)
    return counted(RowReceipt(.rejected, table: table, key: key, reason: reason))
  }

  /// Makes an observation of a row, or another delivery of one that is held.
  ///
  /// `isIncoming`: whether policies other than `keep-higher-rev` speak of it.
  func take(
    _ prepared: PreparedRow,
    namespaces: [Int],
    isIncoming: Bool
  ) throws(RasdError) -> RowReceipt {
    let row = prepared.row
    let table = store.table
    let key = try table.storedKey(prepared)
    if let receipt = try takeCrowded(prepared, as: key, namespaces: namespaces) { return receipt }
    var variants = try table.variants(of: key)
    if let receipt = try takeCrowded(prepared, as: key, namespaces: namespaces, variants) {
      return receipt
    }
    // The rows of a source that was excluded meanwhile go in unseen.
    let isActive = store.ledger.isActive(source)
    if variants.isEmpty, isActive {
      let id = try table.add(prepared, as: key, seen: .yes, spellingOf: nil, body: .nowhere).id
      try deliver(id, row, namespaces)
      try store.resolver.resolveAttachments(listedBy: [row.facts])
      return counted(RowReceipt(.inserted, table: row.table, key: row.key))
    }
    let wasHeld = variants.contains { $0.hash == row.hash && $0.isActive }
    let keyWasHeld = variants.contains(where: \.isActive)
    var known = variants.firstIndex { $0.hash == row.hash && $0.textHash == prepared.textHash }
    if known == nil {
      let first = variants.first { $0.hash == row.hash }?.id
      let body: ObservationTable.EqualBody = variants.isEmpty ? .nowhere : .ofKey
      let id = try table.add(prepared, as: key, seen: .no, spellingOf: first, body: body).id
      variants.append(
        StoredVariant(
          id: id,
          hash: row.hash,
          textHash: prepared.textHash,
          seen: .no,
          facts: row.facts,
          notices: RowNotices(row)
        )
      )
      known = variants.endIndex - 1
    }
    if let known {
      try deliver(variants[known].id, row, namespaces)
      for namespace in namespaces where isActive {
        variants[known].deliveries.insert(StoredDelivery(source: source, namespace: namespace))
      }
    }
    var outcome = try store.resolver.resolve(key, variants)
    if isIncoming, try decide(row, key, outcome) {
      let before = outcome.before
      outcome = try store.resolver.resolve(key)
      outcome.before = before
    }
    let arrival = Arrival(
      wasHeld: wasHeld,
      keyWasHeld: keyWasHeld,
      changedWhatIsSeen: outcome.changedWhatIsSeen,
      isConflict: outcome.isConflict
    )
    return counted(RowReceipt(arrival.outcome, table: row.table, key: row.key))
  }

  func deliver(_ id: Int64, _ row: Row, _ namespaces: [Int]) throws(RasdError) {
    let isAhead = ClockAhead.isFound(latest: row.latest, exportedAt: record.exportedAt)
    for namespace in namespaces {
      try store.table.deliver(id, source: source, namespace: namespace, isAhead: isAhead)
    }
  }

  /// Records the decision that the policy calls for; answers whether there is one.
  private func decide(
    _ row: Row,
    _ key: StoredKey,
    _ outcome: Resolver.Outcome
  ) throws(RasdError) -> Bool {
    guard policy.onConflict != .keepHigherRev, let facts = row.facts.submission,
      let standing = outcome.standing
    else { return false }
    let before = outcome.before?.facts.submission
    let pin = Pin.decided(
      policy.onConflict,
      before: before.map { ($0.clientRev, $0.contentDigest) },
      arrived: (facts.clientRev, facts.contentDigest),
      after: standing
    )
    guard let pin else { return false }
    try store.resolver.pins.set(pin, for: key.key)
    return true
  }

  private func reasonToSkip(_ facts: RowFacts) -> Reason? {
    switch facts {
    case .outbox(let facts) where facts.isDerived: .outboxDerived
    case .attachment(let facts) where facts.isHostAsset && !policy.takesHostAssets: .hostAsset
    default: nil
    }
  }

  func counted(_ receipt: RowReceipt) -> RowReceipt {
    record.tally[receipt.table, default: RowTally()][receipt.outcome] += 1
    return receipt
  }

  // MARK: Blobs

  /// Whether the bytes of host assets are taken.
  package var takesHostAssets: Bool { policy.takesHostAssets }

  /// Records that the source delivered a blob that stands in the vault; answers whether the
  /// store did not hold it before.
  @discardableResult
  package func hold(_ blob: SealedBlob, id: String, mime: String?) throws(RasdError) -> Bool {
    try beginning { () throws(RasdError) in
      try store.blobTable.hold(blob, source: source, id: id, mime: mime)
    }
  }

  /// Records a blob that is not what its row says; its bytes, if they stand in the vault, are
  /// kept there but not held.
  package func quarantine(
    blob: SealedBlob,
    id: String,
    reason: Reason
  ) throws(RasdError) {
    try beginning { () throws(RasdError) in
      try quarantine.add(blob: blob, id: id, reason: reason)
    }
  }

  /// Ids of the source's blobs that were put aside.
  package func quarantinedBlobs() throws(RasdError) -> [String] { try quarantine.blobs() }

  // MARK: Batches

  /// Commits what has been taken since the last commit and where to read on.
  package func commit(at cursor: SourceCursor) throws(RasdError) {
    try beginning { () throws(RasdError) in
      record.cursor = cursor
      try endBatch()
    }
  }

  /// Commits the rest and closes the source's account.
  package func finish() throws(RasdError) {
    try beginning { () throws(RasdError) in
      try rejectUnmatched()
      record.state = .done
      if policy.replaces { try store.retractEarlier(than: record) }
      try endBatch()
    }
  }

  /// Ends the session without its last batch.
  package func abandon() {
    isInBatch = false
    store.forgetUncommitted()
  }

  private func beginBatch() throws(RasdError) {
    guard !isInBatch else { return }
    try store.beginTransaction()
    isInBatch = true
  }

  private func endBatch() throws(RasdError) {
    try store.vault.sync()
    try store.ledger.update(record)
    try store.commitTransaction()
    isInBatch = false
  }

  func beginning<R>(_ body: () throws(RasdError) -> R) throws(RasdError) -> R {
    try beginBatch()
    return try ending(body)
  }

  private func ending<R>(_ body: () throws(RasdError) -> R) throws(RasdError) -> R {
    do throws(RasdError) {
      return try body()
    } catch {
      abandon()
      throw error
    }
  }
}
