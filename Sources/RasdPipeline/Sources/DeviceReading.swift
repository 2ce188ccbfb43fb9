import RasdModel
import RasdSalvage

/// A device's database read whole, with what about it is not as a healthy one has it.
final class DeviceReading {
  /// What is done about the first thing that is wrong.
  enum Faults { case thrown, gathered }

  let database: Evidence.Database
  let pages: PageSource
  let seals: EvidenceSeals
  private let rule: Faults
  /// What is wrong, in the words of a report, each once.
  private(set) var faults: [String] = []
  private(set) var tables: [(name: String, rows: Int)] = []

  /// Opens it with the first of the keys that opens it.
  ///
  /// - Throws: `database-damaged` with `what` where faults are thrown, `key-unavailable`,
  ///   `not-a-database`.
  init(_ database: Evidence.Database, keys: [DatabaseKey], _ rule: Faults) throws(RasdError) {
    self.database = database
    self.rule = rule
    seals = try EvidenceSeals(of: database.files)
    var opening = PageSource.Options()
    opening.keys = keys
    pages = try database.open(opening)
    if seals.all.contains(where: { $0.unreadable > 0 }) {
      try fault(PageFinding.Kind.readFailed.rawValue)
    }
    for finding in pages.findings where !finding.isHealthy { try fault(finding.kind.rawValue) }
  }

  /// Gives every row, page by page, the tables named by the profile that fits.
  func read(
    _ namespace: Namespace,
    profiles: [Profile],
    workers: Int,
    _ take: @escaping (RowBatch, [SalvageTable]) throws(RasdError) -> Void
  ) throws(RasdError) {
    var rules = Salvage.Options(namespace: namespace)
    rules.workers = workers
    rules.carves = false
    var salvage = Salvage(pages, profiles: profiles, options: rules)
    var counts: [Int: Int] = [:]
    let ledger = try salvage.readAll { (batch, tables) throws(RasdError) in
      for row in batch.rows {
        counts[row.table, default: 0] += 1
        if row.kind != .live || row.grade <= .doubtful && row.isTorn { try self.fault("rows") }
      }
      try take(batch, tables)
    }
    if ledger.undecodable > 0 { try fault("rows") }
    try salvage.forEachPageRecord { (page) throws(RasdError) in
      if page.isNews { try fault("page \(page.number)") }
    }
    tables = salvage.tables.indices.compactMap { index in
      let rows = counts[index] ?? 0
      let isItsOwn = salvage.tables[index].origin == .schema
      return rows > 0 || isItsOwn ? (salvage.tables[index].name, rows) : nil
    }
  }

  private func fault(_ what: String) throws(RasdError) {
    guard rule == .gathered else {
      throw RasdError(.corrupt, .databaseDamaged, ["what": .text(what)])
    }
    if !faults.contains(what), faults.count < Self.mostFaults { faults.append(what) }
  }

  /// More say no more of whether it is healthy.
  private static let mostFaults = 100
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
    // A journal that is done has no header any more where the app keeps the file; older copies are
    // what an app kept before it migrated.
    [
      .cipherFound, .keyNotNeeded, .walUncommitted, .journalHeaderLost, .olderCopyUsed,
      .olderCopyLeftOut,
    ].contains(kind)
  }
}

extension Salvage {
  /// Surveys the pages and delivers the rows, on this thread.
  fileprivate mutating func readAll(
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
