import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// What is done before any work: every path is looked at, every export's key is tried, and
/// what is missing is said for all sources at once.
struct Preflight {
  let run: Run
  let keys: KeyInputs
  let plaintext: PlaintextPolicy
  /// Whose data a device's database is.
  var namespace: Namespace?
  /// Whether rows are to be got out of damaged exports.
  var takesDamaged = false

  struct Found {
    var exports: [OpenedExport] = []
    /// Bundles, standard input and stores, which are opened when their turn comes.
    var others: [FoundSource] = []
    var damaged: [DamagedSource] = []
    var credentials = Credentials()

    var isEmpty: Bool { exports.isEmpty && others.isEmpty && damaged.isEmpty }
  }

  func look(at paths: [String]) throws(RasdError) -> Found {
    run.progress.begin(.looking, total: 0)
    let finder = SourceFinder(paths)
    for failure in finder.failures { try run.refuse(failure) }
    for path in finder.ignored {
      let severity: Severity = SourceFinder.isNamedLikeSource(path) ? .warning : .notice
      try run.find(FindingEvent(severity, .ignoredFile, subject: ["path": .text(path)]))
    }
    let files = finder.sources.filter { $0.kind == .export }
    var found = Found()
    found.others = finder.sources.filter { $0.kind != .export }
    if namespace != nil || files.isEmpty && found.others.isEmpty {
      // Without a namespace each is refused, which says what to give.
      found.others += finder.databases
    } else {
      for database in finder.databases {
        try run.find(
          FindingEvent(.warning, .databaseIgnored, subject: ["path": .text(database.path)])
        )
      }
    }
    found.credentials = try credentials(for: files)
    try open(files, &found)
    found.exports += try openDatabases(&found)
    return found
  }

  /// Reads devices' databases, and refuses those that salvage should read instead.
  private func openDatabases(_ found: inout Found) throws(RasdError) -> [OpenedExport] {
    let databases = found.others.filter {
      $0.kind == .database || $0.kind == .unknown && DeviceSource.isPossible($0.path)
    }
    found.others.removeAll { other in databases.contains { $0.path == other.path } }
    var exports: [OpenedExport] = []
    for database in databases {
      try run.interrupt.check()
      do throws(RasdError) {
        guard let namespace else { throw RasdError(.unavailable, .namespaceRequired) }
        exports.append(
          try DeviceSource(credentials: found.credentials, namespace: namespace, run: run)
            .open(database.path)
        )
      } catch {
        let help = error.code == .corrupt ? ["rasdkit", "salvage", database.path] : []
        try run.refuse(database.path, error, help: help)
      }
    }
    return exports
  }

  /// The keys given or, where none was, a passphrase that a person types.
  private func credentials(for files: [FoundSource]) throws(RasdError) -> Credentials {
    var credentials = try keys.load(run)
    let isNeeded = keys.isEmpty && files.contains { Self.isSealed($0.path) }
    if isNeeded, let passphrase = try? run.ask(.sources) {
      credentials.add(.passphrase(passphrase), source: "prompt")
    }
    return credentials
  }

  private static func isSealed(_ path: String) -> Bool {
    (try? ExportFile(path: path)).map { $0.manifest.suite != .none } ?? false
  }

  /// Opens exports on all cores, and refuses those that can't be opened.
  private func open(_ files: [FoundSource], _ found: inout Found) throws(RasdError) {
    run.progress.begin(.opening, total: 0)
    let (plaintext, credentials) = (plaintext, found.credentials)
    try OrderedWork.run(
      0..<files.count,
      workers: run.rules.jobs,
      ahead: OrderedWork.Ahead(items: run.rules.jobs * 4, weight: .max),
      weight: { _ in 1 },
      makeWorker: {
        { index in
          Result { () throws(RasdError) in
            let path = files[index].path
            return try OpenedExport(
              .file(path),
              path: path,
              credentials: credentials,
              plaintext: plaintext
            )
          }
        }
      },
      consume: { (index, result: Result<OpenedExport, RasdError>) throws(RasdError) in
        guard !run.interrupt.requested else { return }
        run.progress.sources(done: index + 1, of: files.count)
        let path = files[index].path
        if takesDamaged, case .failure(let error) = result, error.isDamage {
          found.damaged.append(DamagedSource(path: path, damage: error))
        } else if let export = try admit(result, path: path) {
          found.exports.append(export)
        }
      }
    )
  }

  /// Says what was opened; nil for what was refused.
  func admit(
    _ result: Result<OpenedExport, RasdError>,
    path: String
  ) throws(RasdError) -> OpenedExport? {
    switch result {
    case .failure(let error):
      try run.refuse(path, error)
      return nil
    case .success(let export):
      try run.emit(export.opened)
      if Instant(export.exportedAt) == nil {
        try run.find(
          FindingEvent(
            .warning,
            .timeUnreadable,
            subject: ["path": .text(path)],
            details: ["member": "exportedAt"]
          )
        )
      }
      if export.suite == .none {
        try run.find(FindingEvent(.warning, .plaintextSource, subject: ["path": .text(path)]))
      }
      return export
    }
  }
}

/// An export that is not whole, in a file of its own.
struct DamagedSource {
  let path: String
  let damage: RasdError
}

extension RasdError {
  /// Whether it says that an export is not whole, and not that it can't be read here and now.
  var isDamage: Bool { code == .corrupt || code == .integrity }
}
