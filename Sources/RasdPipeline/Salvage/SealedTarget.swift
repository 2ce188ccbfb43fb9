import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// An export or a store that what was salvaged may enter.
struct SealedTarget {
  private enum Kind {
    case export(String, [ExportRecipient])
    case store(StorePlace, Credentials)
  }

  private let kind: Kind
  private let overwriting: Overwriting
  private let run: Run

  /// Nil for a folder, which takes everything.
  init?(
    _ target: SalvageJob.Target,
    _ options: SalvageJob.Options,
    _ run: Run
  ) throws(RasdError) {
    (overwriting, self.run) = (options.overwriting, run)
    switch target {
    case .folder: return nil
    case .store(let place): kind = .store(place, try place.credentials(run))
    case .export(let path):
      let recipients = try options.recipients.load(run)
      if options.recipients.plaintext {
        try run.find(FindingEvent(.warning, .plaintextWritten, subject: ["path": .text(path)]))
      } else if recipients.isEmpty {
        throw RasdError(.keyUnavailable, .noRecipient)
      }
      try options.overwriting.check(path, run)
      kind = .export(path, options.recipients.plaintext ? [] : recipients)
    }
  }

  /// Writes or merges an export of what may enter; `source` is the digest of the evidence that
  /// stands at `path`.
  ///
  /// `refusing`: namespaces that a store's export may not speak for.
  func take(
    _ export: SalvageExport,
    _ source: SHA256Digest,
    at path: String,
    refusing: @escaping @Sendable (Namespace) -> Bool = { _ in false }
  ) throws(RasdError) -> Salvaged.Written {
    let identity = SourceIdentity(file: source, namespace: export.namespace.text)
    var written = Salvaged.Written(export.shelf)
    written.blobs = export.blobs.count
    guard !export.isEmpty else { return written }
    var copies = 0
    func pass(_ entry: SalvagedEntry) throws(RasdError) {
      copies += 1
      try run.emit(RowEvent(passedOver: entry, identity, run.shade))
    }
    run.progress.begin(.writing, total: 0)
    switch kind {
    case _ where run.rules.writing == .dry: written.rows = try export.count(passedOver: pass)
    case .export(let target, let recipients):
      try Outputs.makeParent(of: target)
      written.rows = try export.write(
        to: target,
        recipients: recipients,
        replacing: overwriting == .allowed,
        passedOver: pass
      )
    case .store(let place, let credentials):
      let (spool, rows) = try export.spool(as: path, source: source, passedOver: pass)
      written.rows = rows
      let policy = IntakePolicy(refusesNamespace: refusing)
      try merge(spool, policy, into: place, credentials)
    }
    written.copies = copies
    return written
  }

  private func merge(
    _ spool: OpenedExport,
    _ policy: IntakePolicy,
    into place: StorePlace,
    _ credentials: Credentials
  ) throws(RasdError) {
    let store =
      if Store.exists(at: place.path) { try place.open(.writing, credentials, run) } else {
        try place.create(org: spool.namespace.org, credentials: credentials, run)
      }
    defer { store.close() }
    let merger = try Merger(store: store, run: run, policy: policy, strictForms: false)
    guard try merger.take(spool, counting: .evidence) != nil else { return }
    var consolidation = Consolidation()
    try Closing(store: store, run: run).report(into: &consolidation)
  }
}

extension Salvaged.Written {
  /// What a shelf did not take.
  fileprivate init(_ shelf: SalvageShelf) {
    self.init()
    unadmitted = shelf.unadmitted
    unmapped = shelf.unmapped
    unmergeable = shelf.unmergeable
  }
}

extension RowEvent {
  /// A copy of a row that a better one of its key stands for.
  fileprivate init(passedOver entry: SalvagedEntry, _ identity: SourceIdentity, _ shade: KeyShade) {
    self.init(
      table: entry.table.text,
      key: entry.rowKey.map(shade.json),
      outcome: .kept,
      grade: entry.grade,
      hash: entry.hash,
      provenance: Provenance(entry, identity)
    )
    reason = .betterCopy
  }
}
