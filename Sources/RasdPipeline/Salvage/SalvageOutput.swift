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
    case sealed(SealedTarget)
    /// A folder that no database's rows go into.
    case nothing
  }

  private let kind: Kind
  private let shelf: SalvageShelf
  private let namespace: Namespace

  init(
    _ target: SalvageJob.Target,
    _ options: SalvageJob.Options,
    isOfDatabases: Bool,
    _ run: Run
  ) throws(RasdError) {
    namespace = options.namespace ?? .unnamed
    if let sealed = try SealedTarget(target, options, run) {
      guard options.namespace != nil || !isOfDatabases else {
        throw RasdError(.unavailable, .namespaceRequired)
      }
      kind = .sealed(sealed)
      shelf = SalvageShelf(Admission(including: options.including), namespace)
    } else if !isOfDatabases {
      kind = .nothing
      shelf = SalvageShelf(.everything, namespace, tables: [])
    } else {
      kind = .folder(try SalvageFolder(target.path, options.overwriting, run))
      // The folder has every row as it is; only what tells whose the photos are is kept.
      shelf = SalvageShelf(.everything, namespace, tables: [.attachments])
    }
  }

  /// The export or the store that it is.
  var sealed: SealedTarget? { if case .sealed(let sealed) = kind { sealed } else { nil } }

  func take(
    _ batch: RowBatch,
    of tables: [SalvageTable],
    _ identity: SourceIdentity
  ) throws(RasdError) {
    if let file = identity.file { try shelf.take(batch, of: tables, in: file) }
    if case .folder(let folder) = kind { try folder.take(batch, of: tables, identity) }
  }

  func draw(_ salvage: Salvage, _ source: PageSource, name: String) throws(RasdError) {
    if case .folder(let folder) = kind { try folder.draw(salvage, source, name: name) }
  }

  /// Matches the files, and writes what was gathered.
  func finish(
    _ files: AttachmentFiles,
    _ database: SHA256Digest,
    at path: String,
    exportedAt: String,
    _ run: Run
  ) throws(RasdError) -> Salvaged.Written {
    let identity = SourceIdentity(file: database, namespace: namespace.text)
    let attachments = try SalvagedAttachments(shelf, files, identity, run)
    switch kind {
    case .folder(let folder):
      try folder.copy(attachments)
      try folder.finish()
      return Salvaged.Written(blobs: attachments.count)
    case .nothing: return Salvaged.Written()
    case .sealed(let target):
      let export = SalvageExport(
        shelf: shelf,
        tables: TableName.rasd,
        blobs: attachments,
        namespace: namespace,
        exportedAt: exportedAt,
        origin: "salvage"
      )
      return try target.take(export, database, at: path)
    }
  }
}
