import Glibc
import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdSalvage

/// A device's own database as a source: a healthy one is sealed into a spool under a key of the
/// run, and from there on is an export like any other; one that is not is refused.
struct DeviceSource {
  let credentials: Credentials
  let namespace: Namespace
  let run: Run

  /// Whether a file that no mark tells may be an encrypted database.
  static func isPossible(_ path: String) -> Bool {
    guard let file = try? EvidenceFile(path: path) else { return false }
    return EvidenceKind.of(ByteStore(file), name: path) == .database
  }

  /// Reads a database whole.
  ///
  /// - Throws: `database-damaged` with `what`, `key-unavailable`, `not-a-database`.
  func open(_ path: String) throws(RasdError) -> OpenedExport {
    let evidence = try Evidence(path: path)
    guard let database = evidence.databases.first else {
      throw RasdError(.corrupt, .notADatabase)
    }
    let seal = try database.file.seal()
    guard seal.unreadable == 0 else {
      throw Self.damaged(PageFinding.Kind.readFailed.rawValue)
    }
    var opening = PageSource.Options()
    opening.keys = SalvageJob.databaseKeys(credentials, namespace)
    let pages = try database.open(opening)
    for finding in pages.findings where !finding.isHealthy {
      throw Self.damaged(finding.kind.rawValue)
    }
    let shelf = SalvageShelf(.everything, namespace, flawed: .kept)
    try fill(shelf, pages, seal.sha256)
    let identity = SourceIdentity(file: seal.sha256, namespace: namespace.text)
    try run.emit(
      SourceOpened(
        path: path,
        bytes: Int(clamping: database.file.size),
        kind: .database,
        identity: identity,
        exportedAt: nil,
        suite: pages.cipher.map(\.words),
        slot: nil,
        kid: nil
      )
    )
    let export = SalvageExport(
      shelf: shelf,
      tables: TableName.rasd,
      blobs: try SalvagedAttachments(
        shelf,
        AttachmentFiles(evidence, isFolder: false),
        identity,
        run
      ),
      namespace: namespace,
      exportedAt: Instant(milliseconds: seal.modified / 1_000_000).text,
      origin: "device"
    )
    let spool = try export.spool(as: path, source: seal.sha256)
    guard try database.file.seal() == seal else { throw RasdError(.unavailable, .sourceChanged) }
    return spool
  }

  private func fill(
    _ shelf: SalvageShelf,
    _ pages: PageSource,
    _ database: SHA256Digest
  ) throws(RasdError) {
    var rules = Salvage.Options(namespace: namespace)
    rules.workers = run.rules.jobs
    rules.carves = false
    var salvage = Salvage(pages, profiles: try Profiles.load(["rasd-native"]), options: rules)
    let ledger = try salvage.readAll { (batch, tables) throws(RasdError) in
      for row in batch.rows where row.kind != .live || row.grade <= .doubtful && row.isTorn {
        throw Self.damaged("rows")
      }
      try shelf.take(batch, of: tables, in: database)
    }
    guard ledger.undecodable == 0 else { throw Self.damaged("rows") }
    try salvage.forEachPageRecord { (page) throws(RasdError) in
      if page.isNews { throw Self.damaged("page \(page.number)") }
    }
    guard !shelf.isEmpty else { throw RasdError(.corrupt, .notAnExport) }
  }

  private static func damaged(_ what: String) -> RasdError {
    RasdError(.corrupt, .databaseDamaged, ["what": .text(what)])
  }
}

extension SalvagedRow {
  /// Whether bytes of it are not what was written.
  fileprivate var isTorn: Bool {
    verdict.isFailed
      || !notes.isDisjoint(with: [.chainBroken, .recordInexact, .valuesAbsent, .outOfOrder])
  }
}

extension PageFinding {
  /// Whether a database that an app has just closed, or not closed, may show it.
  fileprivate var isHealthy: Bool {
    // A journal that is done has no header any more where the app keeps the file.
    [.cipherFound, .keyNotNeeded, .walUncommitted, .journalHeaderLost].contains(kind)
  }
}

extension Salvage {
  /// Surveys the pages and delivers the rows, on this thread.
  mutating func readAll(
    _ take: @escaping (RowBatch, [SalvageTable]) throws(RasdError) -> Void
  ) throws(RasdError) -> SalvageLedger {
    var outcome = Result<SalvageLedger, RasdError>.failure(RasdError(.unavailable, .interrupted))
    var salvage = self
    Blocking.run {
      do throws(RasdError) {
        try await salvage.survey()
        let tables = salvage.tables
        outcome = .success(
          try await salvage.rows { (batch) throws(RasdError) in try take(batch, tables) }
        )
      } catch {
        outcome = .failure(error)
      }
    }
    self = salvage
    return try outcome.get()
  }
}
