import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdSalvage
import RasdStore

/// Where a salvage's rows go: a folder of all that was found, or what may enter an export or a
/// store.
final class SalvageOutput {
  private enum Kind {
    case folder(SalvageFolder)
    case export(String, [ExportRecipient])
    case store(StorePlace, Credentials)
  }

  private let kind: Kind
  private let shelf: SalvageShelf
  private let namespace: Namespace
  private let overwriting: Overwriting

  init(
    _ target: SalvageJob.Target,
    _ options: SalvageJob.Options,
    _ run: Run
  ) throws(RasdError) {
    overwriting = options.overwriting
    namespace = options.namespace ?? .unnamed
    if case .folder(let path) = target {
      kind = .folder(try SalvageFolder(path, options.overwriting, run))
      // The folder has every row as it is; only what tells whose the photos are is kept.
      shelf = SalvageShelf(.everything, namespace, tables: [.submissions, .attachments])
      return
    }
    guard options.namespace != nil else { throw RasdError(.unavailable, .namespaceRequired) }
    shelf = SalvageShelf(Admission(including: options.including), namespace)
    switch target {
    case .store(let place): kind = .store(place, try place.credentials(run))
    case .export(let path), .folder(let path):
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

  func take(
    _ batch: RowBatch,
    of tables: [SalvageTable],
    _ identity: SourceIdentity
  ) throws(RasdError) {
    if let file = identity.file { shelf.take(batch, of: tables, in: file) }
    if case .folder(let folder) = kind { try folder.take(batch, of: tables, identity) }
  }

  func draw(_ salvage: Salvage, _ source: PageSource, name: String) throws(RasdError) {
    if case .folder(let folder) = kind { try folder.draw(salvage, source, name: name) }
  }

  /// Matches the files, and writes what was gathered.
  func finish(
    _ files: AttachmentFiles,
    _ database: SHA256Digest,
    exportedAt: String,
    _ run: Run
  ) throws(RasdError) -> Salvaged.Written {
    let identity = SourceIdentity(file: database, namespace: namespace.text)
    let attachments = try SalvagedAttachments(shelf, files, identity, run)
    var written = Salvaged.Written()
    written.blobs = attachments.held.count
    let export = SalvageExport(
      shelf: shelf,
      attachments: attachments,
      namespace: namespace,
      exportedAt: exportedAt,
      origin: "salvage"
    )
    switch kind {
    case .folder(let folder):
      try folder.copy(attachments)
      try folder.finish()
      return written
    case .export(let path, let recipients):
      if run.rules.writing == .real, shelf.count > 0 {
        guard let id = ExportID(UUIDText.version4(random: SecureRandom.bytes(16))) else {
          throw RasdError(.integrity, .manifestInvalid, ["member": "exportId"])
        }
        try Outputs.makeParent(of: path)
        let replacing = overwriting == .allowed
        _ = try export.write(to: path, id: id, recipients: recipients, replacing: replacing)
      }
    case .store(let place, let credentials):
      if run.rules.writing == .real, shelf.count > 0 {
        try merge(export, database, into: place, credentials, run)
      }
    }
    written.rows = shelf.count
    written.unadmitted = shelf.unadmitted
    written.unmapped = shelf.unmapped
    written.unmergeable = shelf.unmergeable
    return written
  }

  private func merge(
    _ export: SalvageExport,
    _ database: SHA256Digest,
    into place: StorePlace,
    _ credentials: Credentials,
    _ run: Run
  ) throws(RasdError) {
    let spool = try DeviceSource.spool(export, path: place.path, source: database)
    let proof = ExportVerifier(run: run).verify(spool, rows: .passedOver)
    guard let verification = try proof.admit(spool, run) else { return }
    let store =
      if Store.exists(at: place.path) { try place.open(.writing, credentials, run) } else {
        try place.create(org: namespace.org, credentials: credentials, run)
      }
    defer { store.close() }
    let merger = Merger(store: store, run: run, policy: IntakePolicy(), strictForms: false)
    if let known = store.source(spool.key), known.state != .merging {
      _ = try merger.recognise(known, path: place.path)
    } else {
      _ = try merger.merge(spool, verification)
    }
    run.storeDigest = try store.digest()
  }
}
