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
  func take(
    _ export: SalvageExport,
    _ source: SHA256Digest,
    at path: String
  ) throws(RasdError) -> Salvaged.Written {
    let identity = SourceIdentity(file: source, namespace: export.namespace.text)
    var written = Salvaged.Written(export.shelf)
    written.blobs = export.blobs.count
    for table in export.tables {
      try export.shelf.forEach(
        of: table,
        passedOver: { (entry) throws(RasdError) in
          written.copies += 1
          try run.emit(RowEvent(passedOver: entry, identity, run.shade))
        },
        { (_) throws(RasdError) in written.rows += 1 }
      )
    }
    guard run.rules.writing == .real, written.rows > 0 else { return written }
    switch kind {
    case .export(let target, let recipients):
      try Outputs.makeParent(of: target)
      try export.write(to: target, recipients: recipients, replacing: overwriting == .allowed)
    case .store(let place, let credentials):
      try merge(export.spool(as: path, source: source), into: place, credentials)
    }
    return written
  }

  private func merge(
    _ spool: OpenedExport,
    into place: StorePlace,
    _ credentials: Credentials
  ) throws(RasdError) {
    let store =
      if Store.exists(at: place.path) { try place.open(.writing, credentials, run) } else {
        try place.create(org: spool.namespace.org, credentials: credentials, run)
      }
    defer { store.close() }
    let merger = try Merger(store: store, run: run, policy: IntakePolicy(), strictForms: false)
    guard try merger.take(spool) != nil else { return }
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
