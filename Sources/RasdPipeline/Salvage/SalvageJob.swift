import RasdCrypto
package import RasdModel
import RasdReport
package import RasdSalvage

/// Gets every decodable row out of damaged databases and says of each where it came from and
/// how far to trust it; the evidence is read and never written.
package struct SalvageJob: Sendable {
  package struct Options: Sendable {
    /// Names of shipped profiles or files; empty for all that are shipped.
    package var profiles: [String] = []
    /// Salts of a database whose page 1 is lost, 16 bytes each.
    package var salts: [[UInt8]] = []
    package var cipher = CipherSettings()
    package var pageSize: Int?
    package var fieldKeys: [(kid: String, path: String)] = []
    package var namespace: Namespace?
    /// Of a damaged export that nothing seals.
    package var allowsPlaintext = false
    package var overwriting = Overwriting.refused
    /// What enters an export or a store beside what does by itself.
    package var including: [Admission.Inclusion] = []
    package var recipients = RecipientInputs()

    package init() {}
  }

  /// Where what was found goes.
  package enum Target: Sendable {
    case folder(String)
    case export(String)
    case store(StorePlace)

    var isSealed: Bool {
      if case .folder = self { false } else { true }
    }

    var path: String {
      switch self {
      case .folder(let path), .export(let path): path
      case .store(let place): place.path
      }
    }
  }

  private let evidence: String
  private let keys: KeyInputs
  private let target: Target
  private let options: Options

  package init(evidence: String, keys: KeyInputs, to target: Target, options: Options) {
    self.evidence = evidence
    self.keys = keys
    self.target = target
    self.options = options
  }

  package func run(_ run: Run) throws(RasdError) -> Salvaged {
    run.progress.begin(.opening, total: 0)
    _ = try PathFacts.target(evidence)
    let profiles = try Profiles.load(options.profiles)
    let credentials = try keys.load(run)
    let found = try Evidence(path: evidence)
    let exports = ExportsBeside(found)
    guard !found.databases.isEmpty || !exports.names.isEmpty else {
      throw RasdError(.unavailable, .nothingFound, ["path": .text(evidence)])
    }
    let fieldKeys = try loadFieldKeys()
    let output = try SalvageOutput(target, options, isOfDatabases: !found.databases.isEmpty, run)
    var salvaged = Salvaged(path: target.path)
    var unproved: [EvidenceSeals] = []
    for database in found.databases {
      do throws(RasdError) {
        salvaged.databases.append(
          try salvage(database, credentials, profiles, fieldKeys, output, &unproved, run)
        )
      } catch  where error.code == .keyUnavailable || error.code == .corrupt {
        try run.refuse(database.file.path, error)
      }
    }
    salvaged.exports = try exports.rescue(credentials, keys, target, output, options, run)
    if let first = salvaged.databases.first {
      let isFolder = found.databases[0].file.path != evidence
      let files = AttachmentFiles(found, isFolder: isFolder, without: exports.names)
      // The evidence is read once more while what came of it is finished.
      let (changed, written) = try EvidenceSeals.beside(
        run,
        { [unproved] () throws(RasdError) in try EvidenceSeals.changed(unproved) },
        { () throws(RasdError) in
          let when = try when(found)
          return try output.finish(files, first.sha256, at: first.path, exportedAt: when, run)
        }
      )
      try EvidenceSeals.say(changed, run)
      salvaged.written = written
      salvaged.isSealed = target.isSealed
      let hasEntered = !target.isSealed || salvaged.written.rows > 0
      if !hasEntered { run.leaveOut() }
      salvaged.isWritten = hasEntered && run.rules.writing == .real
    }
    let isAnythingRead = !salvaged.databases.isEmpty || !salvaged.exports.isEmpty
    let isNothingGot = salvaged.rows == 0 && salvaged.exports.allSatisfy(\.isEmpty)
    if isAnythingRead, isNothingGot { run.end(with: .nothing) }
    return salvaged
  }

  /// When the evidence was last written: what an export of it says of its age.
  private func when(_ found: Evidence) throws(RasdError) -> String {
    var latest: Int64 = 0
    for database in found.databases {
      for file in [database.file] + database.wals { latest = max(latest, try file.modified()) }
    }
    return Instant(milliseconds: latest / 1_000_000).text
  }

  private func salvage(
    _ database: Evidence.Database,
    _ credentials: Credentials,
    _ profiles: [Profile],
    _ fieldKeys: FieldKeys,
    _ output: SalvageOutput,
    _ unproved: inout [EvidenceSeals],
    _ run: Run
  ) throws(RasdError) -> Salvaged.Database {
    var opening = PageSource.Options()
    opening.keys = Self.databaseKeys(credentials, options.namespace)
    opening.salts = options.salts
    opening.cipher = options.cipher
    opening.pageSize = options.pageSize
    var rules = Salvage.Options(namespace: options.namespace ?? .unnamed)
    rules.workers = run.rules.jobs
    rules.fieldKeys = fieldKeys
    // The evidence is hashed while it is opened and surveyed.
    let (seals, surveyed) = try EvidenceSeals.beside(
      run,
      { () throws(RasdError) in try EvidenceSeals(of: database.files) },
      { () throws(RasdError) in
        let source = try database.open(opening)
        run.progress.begin(.recovering, total: Int(database.file.size))
        return try Self.survey(Salvage(source, profiles: profiles, options: rules))
      }
    )
    let source = surveyed.source
    let identity = SourceIdentity(file: seals.first.sha256, namespace: options.namespace?.text)
    try run.emit(
      SourceOpened(
        path: database.file.path,
        bytes: Int(database.file.size),
        kind: .database,
        identity: identity,
        exportedAt: nil,
        suite: source.cipher.map(\.words),
        slot: nil,
        kid: nil
      )
    )
    try seals.sayUnreadable(run)
    for finding in source.findings {
      try run.find(finding.event(path: database.file.path))
    }
    var salvage = surveyed
    var outcome = Result<SalvageLedger, RasdError>.failure(RasdError(.unavailable, .interrupted))
    Blocking.run {
      do throws(RasdError) {
        let tables = salvage.tables
        let ledger = try await salvage.rows { (batch) throws(RasdError) in
          try output.take(batch, of: tables, identity)
          run.progress.advance(rows: batch.rows.count)
        }
        outcome = .success(ledger)
      } catch {
        outcome = .failure(error)
      }
    }
    let ledger = try outcome.get()
    try salvage.sayUnjoined(of: database.file.path, run)
    let pages = try salvage.reportPages(source.layout, run)
    try output.draw(salvage, source, name: database.file.path)
    unproved.append(seals)
    let result = Salvaged.Database(
      path: database.file.path,
      sha256: seals.first.sha256,
      tables: salvage.tables.map(\.name),
      ledger: ledger,
      pages: pages,
      cipher: source.cipher?.words
    )
    try run.emit(result.event)
    run.recovered(bytes: Int(database.file.size), incomplete: result.incomplete)
    return result
  }

  private static func survey(_ salvage: Salvage) throws(RasdError) -> Salvage {
    var salvage = salvage
    var failure: RasdError?
    Blocking.run {
      do throws(RasdError) { try await salvage.survey() } catch { failure = error }
    }
    if let failure { throw failure }
    return salvage
  }

  private func loadFieldKeys() throws(RasdError) -> FieldKeys {
    var keys: [FieldKeys.Key] = []
    for (kid, path) in options.fieldKeys {
      keys.append(FieldKeys.Key(kid: kid, secret: try KeyFile.rawKey(path).0.secret))
    }
    return FieldKeys(keys)
  }

  /// A key file may hold a database's raw key or, as text, its passphrase.
  static func databaseKeys(_ credentials: Credentials, _ namespace: Namespace?) -> [DatabaseKey] {
    credentials.rawKeys(for: namespace?.text).map { .raw($0.secret, salt: $0.salt) }
      + credentials.passphrases(for: namespace?.text).map { .passphrase($0.asGiven) }
  }
}
