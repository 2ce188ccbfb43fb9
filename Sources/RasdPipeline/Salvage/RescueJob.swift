import RasdContainer
import RasdCrypto
package import RasdModel
import RasdReport
import RasdSalvage
import RasdStore

/// Gets what opens out of a damaged export: every row that is there, graded, every photo, and a
/// finding for each stretch that is missing.
package struct RescueJob: Sendable {
  private let path: String
  private let keys: KeyInputs
  private let target: SalvageJob.Target
  private let options: SalvageJob.Options

  private var plaintext: PlaintextPolicy { options.allowsPlaintext ? .allowed : .refused }

  package init(
    path: String,
    keys: KeyInputs,
    to target: SalvageJob.Target,
    options: SalvageJob.Options
  ) {
    self.path = path
    self.keys = keys
    self.target = target
    self.options = options
  }

  /// Whether `path` is an export, whole or not, and no database.
  package static func isFor(_ path: String) -> Bool {
    guard let kind = try? FileKind.of(path: path) else { return false }
    return kind == .export || (kind == .unknown && (try? DamagedExport(path: path)) != nil)
  }

  package func run(_ run: Run) throws(RasdError) -> Rescued {
    run.progress.begin(.opening, total: 0)
    let sealed = try SealedTarget(target, options, run)
    let rescued = try rescue(try keys.load(run), sealed, run)
    if rescued.isEmpty { run.end(with: .nothing) }
    return rescued
  }

  /// Does the work as one of several sources of a run; `sealed` is the target, where that is no
  /// folder.
  func rescue(
    _ credentials: Credentials,
    _ sealed: SealedTarget?,
    _ run: Run
  ) throws(RasdError) -> Rescued {
    var bytes = 0
    var rescued = try read(run) { (export, seal) throws(RasdError) -> Rescued in
      bytes = export.source.size
      if let sealed {
        let admission = Admission(including: options.including)
        var shelved = try shelve(export, credentials, seal, admission, run)
        shelved.rescued.written = try sealed.take(
          shelved.export,
          seal.sha256,
          at: path,
          refusing: { credentials.binds($0.text) }
        )
        return shelved.rescued
      }
      let folder = try RescueFolder(target.path, options.overwriting, run)
      let namespace = export.manifest.namespace
      var gathering = RescueGathering(folder, namespace, run)
      let account = try export.rescue(credentials, plaintext: plaintext, into: &gathering)
      let tally = try gathering.finish()
      try folder.finish()
      return try report(account, tally, export, run)
    }
    run.recovered(bytes: bytes, incomplete: !rescued.isWhole)
    let hasEntered = rescued.written.map { $0.rows > 0 } ?? true
    if !hasEntered { run.leaveOut() }
    rescued.isWritten = hasEntered && run.rules.writing == .real
    return rescued
  }

  /// What may enter an export or a store, and what was got in all.
  struct Shelved {
    let export: SalvageExport
    /// SHA-256 of the file.
    let source: SHA256Digest
    var rescued: Rescued
  }

  /// Gets out what may enter elsewhere, and writes nothing.
  func shelve(
    _ credentials: Credentials,
    _ admission: Admission,
    _ run: Run
  ) throws(RasdError) -> Shelved {
    try read(run) { (export, seal) throws(RasdError) in
      try shelve(export, credentials, seal, admission, run)
    }
  }

  /// Opens the file, and says whether it changed while it was read.
  private func read<Got>(
    _ run: Run,
    _ body: (DamagedExport, EvidenceSeal) throws(RasdError) -> Got
  ) throws(RasdError) -> Got {
    let seals = try EvidenceSeals(of: [EvidenceFile(path: path)])
    let export = try DamagedExport(path: path)
    let identity = SourceIdentity(
      exportId: export.manifest.exportID.text,
      manifest: export.manifest.digest,
      file: seals.first.sha256,
      namespace: export.manifest.namespace.text
    )
    try run.emit(
      SourceOpened(
        path: path,
        bytes: export.source.size,
        kind: .export,
        identity: identity,
        exportedAt: export.manifest.exportedAt,
        suite: export.manifest.suite.rawValue,
        slot: nil,
        kid: nil
      )
    )
    run.progress.begin(.recovering, total: export.source.size)
    let got = try body(export, seals.first)
    try seals.prove(run)
    return got
  }

  private func shelve(
    _ export: DamagedExport,
    _ credentials: Credentials,
    _ seal: EvidenceSeal,
    _ admission: Admission,
    _ run: Run
  ) throws(RasdError) -> Shelved {
    let manifest = export.manifest
    guard let namespace = options.namespace ?? (manifest.isNamed ? manifest.namespace : nil) else {
      throw RasdError(.unavailable, .namespaceRequired, ["path": .text(path)])
    }
    let taker = RescueShelf(admission, namespace, seal.sha256)
    var gathering = RescueGathering(taker, namespace, run)
    let account = try export.rescue(credentials, plaintext: plaintext, into: &gathering)
    let tally = try gathering.finish()
    guard !credentials.binds(namespace.text) || account.isBound else {
      throw RasdError(.unavailable, .unboundNamespace, ["namespace": .text(namespace.text)])
    }
    let rescued = try report(account, tally, export, run)
    var blobs = RescuedBlobs(export, credentials, plaintext, account, tally.blobs)
    try blobs.leaveOutAltered(taker.shelf, account, path: path, run)
    // A store's export stays one: its observations are its rows, each with its own namespaces, and
    // whoever merges it puts them together with the rows that stand in the tables.
    let isOfStore = account.meta?.origin == "store" || account.tables[ObservationLine.table] != nil
    let own = TableName.rasd + [ObservationLine.table, SalvageGrade.table]
    let hosts = account.tables.keys.filter { !own.contains($0) }.sorted()
    let salvaged = SalvageExport(
      shelf: taker.shelf,
      tables: (isOfStore ? [ObservationLine.table] : []) + TableName.rasd + hosts,
      blobs: blobs,
      namespace: namespace,
      exportedAt: Instant(manifest.exportedAt) == nil
        ? Instant(milliseconds: seal.modified / 1_000_000).text : manifest.exportedAt,
      origin: isOfStore ? "store" : "salvage"
    )
    return Shelved(export: salvaged, source: seal.sha256, rescued: rescued)
  }

  private func report(
    _ account: RescueAccount,
    _ tally: RescueTally,
    _ export: DamagedExport,
    _ run: Run
  ) throws(RasdError) -> Rescued {
    let report = RescueReport(
      path: path,
      export: export,
      account: account,
      tally: tally,
      run: run
    )
    try report.tell()
    return Rescued(account, tally, of: export, at: path, to: target.path)
  }
}

extension Manifest {
  /// Whether whose data it is was still to be read.
  fileprivate var isNamed: Bool { namespace != .unnamed }
}
