import RasdCrypto
import RasdModel
import RasdReport
import RasdSalvage

/// What a device's database is: its cipher, its tables with their rows, what lies beside it, and
/// whether it is healthy enough to be a source.
struct DeviceInspection {
  private let credentials: Credentials
  private let namespace: Namespace?
  private let workers: Int

  init(_ credentials: Credentials, _ namespace: Namespace?, workers: Int) {
    (self.credentials, self.namespace, self.workers) = (credentials, namespace, workers)
  }

  func inspect(_ source: FoundSource) -> InspectJob.Inspected {
    var facts = Members()
    facts.add("bytes", source.bytes)
    var kind = source.kind
    do throws(RasdError) {
      let evidence = try Evidence(path: source.path)
      guard let database = evidence.databases.first else {
        throw RasdError(.corrupt, .notADatabase)
      }
      Self.add(siblings: database, to: &facts)
      let keys = SalvageJob.databaseKeys(credentials, namespace)
      let reading: DeviceReading
      do throws(RasdError) {
        reading = try DeviceReading(database, keys: keys, .gathered)
      } catch  where error.reason == .noKeyGiven && keys.isEmpty {
        facts.add("key", "none given; --key-file or --passphrase-file opens it")
        return InspectJob.Inspected(
          path: source.path,
          kind: FoundSource.Kind.unknown.name,
          facts: facts,
          error: nil
        )
      }
      kind = .database
      let profiles = try Profiles.load([])
      try reading.read(namespace ?? .unnamed, profiles: profiles, workers: workers) { _, _ in }
      Self.add(reading, to: &facts)
      if !reading.faults.isEmpty { facts.add("next", ["rasdkit", "salvage", source.path]) }
      return InspectJob.Inspected(path: source.path, kind: kind.name, facts: facts, error: nil)
    } catch {
      var error = error
      error.details["path"] = .text(source.path)
      return InspectJob.Inspected(path: source.path, kind: kind.name, facts: facts, error: error)
    }
  }

  private static func add(_ reading: DeviceReading, to facts: inout Members) {
    let pages = reading.pages
    facts.add("cipher", pages.cipher?.words ?? "not encrypted")
    facts.add("pageSize", pages.pageSize)
    facts.add("pages", Int(pages.pageCount))
    var tables = Members()
    for (name, rows) in reading.tables { tables.add(name, rows) }
    facts.add("tables", tables)
    facts.add("rows", reading.tables.reduce(0) { $0 + $1.rows })
    facts.add("healthy", reading.faults.isEmpty)
    if !reading.faults.isEmpty { facts.add("faults", reading.faults) }
  }

  /// What lies beside it and belongs to it; that there is no WAL is worth a word, since the newest
  /// rows often stand only there.
  private static func add(siblings database: Evidence.Database, to facts: inout Members) {
    func names(_ files: [EvidenceFile]) -> [String] {
      files.map { file in
        file.path.lastIndex(of: "/").map { String(file.path[file.path.index(after: $0)...]) }
          ?? file.path
      }
    }
    if database.wals.isEmpty {
      facts.add("wal", "none")
    } else {
      facts.add("wal", names(database.wals))
    }
    if !database.journals.isEmpty { facts.add("journal", names(database.journals)) }
    if !database.olderCopies.isEmpty { facts.add("olderCopies", names(database.olderCopies)) }
  }
}
