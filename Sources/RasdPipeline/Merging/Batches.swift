import RasdModel
import RasdReport
import RasdStore

/// A source's way into the store in batches, each one commit, with what is news of its rows.
final class Batches {
  /// Rows a commit (the merge rules, §Transactions).
  private static let rowsACommit = 200
  /// Bytes of blobs a commit, at the most and at the least; between them a sixteenth of the
  /// source, which is what a kill can make a run do again.
  private static let mostBytesACommit = 8 << 20
  private static let leastBytesACommit = 1 << 19

  let session: SourceSession
  let run: Run
  private let identity: SourceIdentity
  private let bytesACommit: Int
  /// Where to read on after what has been taken.
  private(set) var next: SourceCursor
  private var rows = 0
  private var bytes = 0

  init(_ session: SourceSession, identity: SourceIdentity, bytes sourceBytes: Int, _ run: Run) {
    let share = max(sourceBytes / 16, Self.leastBytesACommit)
    bytesACommit = min(share, Self.mostBytesACommit)
    self.session = session
    self.identity = identity
    self.run = run
    next = session.cursor
  }

  /// Counts a row, or a blob that cost nothing; all before `cursor` has been taken.
  func took(before cursor: SourceCursor) throws(RasdError) {
    next = cursor
    rows += 1
    if rows >= Self.rowsACommit { try commit() }
  }

  /// Counts a blob whose bytes were written.
  func took(blob size: Int, before cursor: SourceCursor) throws(RasdError) {
    bytes += size
    if bytes >= bytesACommit {
      next = cursor
      try commit()
    } else {
      try took(before: cursor)
    }
  }

  /// Moves the cursor over what is no row: the next part of a stream.
  func pass(to cursor: SourceCursor) { next = cursor }

  /// Commits what has been taken, and stops where the run was asked to.
  func commit() throws(RasdError) {
    try session.commit(at: next)
    rows = 0
    bytes = 0
    try run.flush()
    try run.interrupt.check()
  }

  func finish() throws(RasdError) {
    try session.finish()
    try run.flush()
  }

  /// Reports a row that is news: rejected or in conflict, or any where all are asked for.
  func report(
    _ receipt: RowReceipt,
    rejection: RowRejection?,
    hash: SHA256Digest?,
    entry: String,
    line: Int
  ) throws(RasdError) {
    let isNews = receipt.outcome == .rejected || receipt.outcome == .conflict
    guard isNews || run.rules.rows == .all else { return }
    var event = RowEvent(
      table: receipt.table.text,
      key: receipt.key.map(run.shade.json),
      outcome: receipt.outcome,
      hash: hash,
      provenance: Provenance(identity: identity, entry: entry, line: line)
    )
    if receipt.outcome == .rejected {
      event.error = rejection.map(\.shadedError) ?? receipt.reason.map { RasdError(.integrity, $0) }
      return try run.reject(event, of: session.path)
    }
    event.reason = receipt.reason
    try run.emit(event)
  }

  /// Reports a blob that the store did not hold before, where all are asked for.
  func report(_ blob: SealedBlob, id: String) throws(RasdError) {
    guard run.rules.rows == .all else { return }
    try run.emit(BlobEvent(held: blob, id: id, identity))
  }
}

extension BlobEvent {
  /// Of a blob that a source brought into the store.
  init(held blob: SealedBlob, id: String, _ identity: SourceIdentity) {
    self.init(
      id: id,
      sha256: blob.sha256,
      bytes: blob.bytes,
      outcome: .held,
      provenance: Provenance(identity: identity)
    )
  }
}

extension RowRejection {
  /// The error without the row's key, which an event shows shaded.
  var shadedError: RasdError {
    var error = error
    error.details["key"] = nil
    return error
  }
}
