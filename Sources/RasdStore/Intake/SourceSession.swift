package import RasdModel

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
  let namespace: Int
  private var isInBatch = false
  lazy var quarantine = Quarantine(store, record.number)

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
