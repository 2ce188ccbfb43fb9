import RasdContainer
import RasdModel
import RasdReport
import RasdStore

/// A store's rows and blobs as an export is to hold them.
struct StoreReading {
  let store: Store
  let selection: ExportSelection
  let run: Run

  /// The tables that an export has, in order.
  func tables() throws(RasdError) -> [TableName] {
    try store.tables().filter { selection.takes($0) }
  }

  /// Gives the rows of a table that are selected, in the order of their keys.
  func forEachRow(
    of table: TableName,
    _ body: (VisibleRow) throws(RasdError) -> Void
  ) throws(RasdError) {
    try store.forEachRow(of: table) { (row) throws(RasdError) in
      try run.interrupt.check()
      guard try takes(row.facts, row.key) else { return }
      run.progress.advance(rows: 1)
      try body(row)
    }
  }

  /// Gives each held blob that is selected and whole, and says which are lost: under the ids of the
  /// attachments a reader sees, then, where all is selected, those that no such attachment names
  /// under `sha256:<hex>`.
  func forEachHeldBlob(
    _ body: (_ id: String, ProvedBlob, _ mime: String?) throws(RasdError) -> Void
  ) throws(RasdError) {
    guard selection.takesBlobs else { return }
    var lost: Set<SHA256Digest> = []
    func give(_ id: String, _ sha256: SHA256Digest, _ mime: String?) throws(RasdError) {
      try run.interrupt.check()
      switch store.vault.proved(sha256) {
      case .success(let blob): try body(id, blob, mime)
      case .failure(let error):
        if lost.insert(sha256).inserted { try run.find(lost: sha256, of: store, error) }
      }
    }
    var named: Set<SHA256Digest> = []
    // Somebody may have given an attachment an id of that form.
    var taken: Set<String> = []
    try forEachRow(of: .attachments) { (row) throws(RasdError) in
      guard case .attachment(let facts) = row.facts, let sha256 = facts.claim.sha256,
        try store.isHeld(sha256)
      else { return }
      named.insert(sha256)
      if facts.id.utf8.starts(with: Self.nameless.utf8) { taken.insert(facts.id) }
      try give(facts.id, sha256, (try? JSONValue.parse(row.text))?["mime"]?.string)
    }
    guard selection.isWhole else { return }
    try store.forEachHeldBlob { (blob) throws(RasdError) in
      guard !named.contains(blob.sha256) else { return }
      var id = Self.nameless + blob.sha256.hex
      while taken.contains(id) { id += "." }
      try give(id, blob.sha256, blob.mime)
    }
  }

  private static let nameless = "sha256:"

  /// What an export would hold, each row and blob of it read.
  func rehearsed(
    to path: String,
    _ format: ExportJob.Format
  ) throws(RasdError) -> ExportJob.Written {
    var written = ExportJob.Written(path: path, format: format, identity: nil)
    written.isWritten = false
    for table in try tables() {
      var rows = 0
      try forEachRow(of: table) { (_) throws(RasdError) in rows += 1 }
      written.rows.append((table, rows))
    }
    // JSON lines carry blobs with the table that names them.
    guard format == .rasdx || selection.takes(.attachments) else { return written }
    try forEachHeldBlob { (_, blob, _) throws(RasdError) in
      written.blobBytes += blob.bytes
      written.blobs += 1
    }
    return written
  }

  /// Whether any of a key's observations are selected: those of keys whose visible row is.
  func takes(_ key: RowKey) throws(RasdError) -> Bool {
    guard selection.takes(key.table) else { return false }
    guard selection.choosesSubmissions else { return true }
    return try store.seen(key).map { (facts) throws(RasdError) in try takes(facts, key) } ?? false
  }

  private func takes(_ facts: RowFacts, _ key: RowKey) throws(RasdError) -> Bool {
    guard selection.choosesSubmissions else { return true }
    switch facts {
    case .submission(let facts): return try takes(facts, key: key)
    case .attachment(let facts):
      guard let id = facts.submissionId,
        case .submission(let owner)? = try store.seen(RowKey(submission: id))
      else { return false }
      return try takes(owner, key: RowKey(submission: id))
    case .form(let facts): return selection.forms.isEmpty || selection.forms.contains(facts.id)
    case .outbox(let facts): return try takes(facts, key)
    case .kv, .host: return selection.device == nil || key.namespace == selection.device
    case .dataset: return true
    }
  }

  private func takes(_ facts: SubmissionFacts, key: RowKey) throws(RasdError) -> Bool {
    guard selection.takes(facts) else { return false }
    guard let device = selection.device else { return true }
    return try store.namespaces(delivering: key).contains(device)
  }

  /// A row about a submission or an attachment goes with it; one about something else, with its
  /// device.
  private func takes(_ facts: OutboxFacts, _ key: RowKey) throws(RasdError) -> Bool {
    if !facts.isDerived, let device = selection.device, key.namespace != device { return false }
    let target: RowKey? =
      switch (facts.kind, facts.targetId) {
      case ("submission", let id?): RowKey(submission: id)
      case ("attachment", let id?): RowKey(attachment: id)
      default: nil
      }
    guard let target else { return true }
    return try store.seen(target).map { (facts) throws(RasdError) in try takes(facts, target) }
      ?? false
  }
}
