import RasdContainer
import RasdCrypto
package import RasdMerge
package import RasdModel
import RasdReport
import RasdStore

/// Proves sources, merges what is proved into one store and writes down what it did.
package struct ConsolidateJob: Sendable {
  package struct Options: Sendable {
    package var org: String?
    package var replaces = false
    package var onConflict = ConflictPolicy.keepHigherRev
    package var takesDamaged = false
    package var takesHostAssets = false
    package var strictForms = false
    package var allowsPlaintext = false
    /// Whose data a device's database is.
    package var namespace: Namespace?

    package init() {}
  }

  private let sources: [String]
  let keys: KeyInputs
  let place: StorePlace
  let options: Options

  package init(sources: [String], keys: KeyInputs, store: StorePlace, options: Options) {
    self.sources = sources
    self.keys = keys
    place = store
    self.options = options
  }

  package func run(_ run: Run) throws(RasdError) -> Consolidation {
    // A person who makes a store is asked for its passphrase before the work, not after.
    let storeKeys = try place.credentials(run)
    let opened = Store.exists(at: place.path) ? try place.open(.writing, storeKeys, run) : nil
    let found = try preflight(run).look(at: sources)
    var consolidation = Consolidation()
    guard !found.isEmpty else { return consolidation }
    let org = try organisation(of: found.exports, for: opened)
    guard run.rules.writing == .real else {
      return try rehearse(found, opened, org: org, storeKeys, run)
    }
    let store =
      if let opened { opened } else { try place.create(org: org, credentials: storeKeys, run) }
    defer { store.close() }
    if let org { try store.claim(org: org) }
    try merge(found, storeKeys, into: store, run, &consolidation)
    return consolidation
  }

  private func preflight(_ run: Run) -> Preflight {
    Preflight(
      run: run,
      keys: keys,
      plaintext: options.allowsPlaintext ? .allowed : .refused,
      namespace: options.namespace,
      takesDamaged: options.takesDamaged
    )
  }

  /// Does all that a run does to the store, or to one that is made for it, and undoes it.
  private func rehearse(
    _ found: Preflight.Found,
    _ opened: Store?,
    org: String?,
    _ storeKeys: Credentials,
    _ run: Run
  ) throws(RasdError) -> Consolidation {
    var consolidation = Consolidation()
    if let opened {
      defer { opened.close() }
      try opened.rehearse { () throws(RasdError) in
        if let org { try opened.claim(org: org) }
        try merge(found, storeKeys, into: opened, run, &consolidation)
      }
    } else {
      let folder = try TemporaryFolder()
      let store = try StorePlace(path: "\(folder.path)/store", keys: place.keys)
        .create(org: org, credentials: storeKeys, run)
      defer { store.close() }
      try merge(found, storeKeys, into: store, run, &consolidation)
    }
    return consolidation
  }

  /// Whose data it is: as was said, as the store knows, or as all sources agree.
  private func organisation(
    of exports: [OpenedExport],
    for store: Store?
  ) throws(RasdError) -> String? {
    if let given = options.org ?? store?.org { return given }
    let named = Set(exports.map(\.namespace.org)).sorted()
    guard named.count <= 1 else {
      throw RasdError(.unavailable, .orgsDiffer, ["org": .list(named)])
    }
    return named.first
  }

  /// Merges all that was found, and says what stands in the store then.
  private func merge(
    _ found: Preflight.Found,
    _ storeKeys: Credentials,
    into store: Store,
    _ run: Run,
    _ consolidation: inout Consolidation
  ) throws(RasdError) {
    let policy = IntakePolicy(
      onConflict: options.onConflict,
      takesHostAssets: options.takesHostAssets,
      replaces: options.replaces,
      refusesNamespace: { found.credentials.binds($0.text) }
    )
    if run.rules.jobs > 1, run.rules.writing == .real { try store.checkpointAside() }
    let merger = Merger(store: store, run: run, policy: policy, strictForms: options.strictForms)
    var damaged = found.damaged
    try merge(found.exports, with: merger, &consolidation, &damaged)
    let streams = StreamSources(
      preflight: preflight(run),
      credentials: found.credentials,
      folder: store.path
    )
    for other in found.others {
      try alone(other.path, run) { () throws(RasdError) in
        switch other.kind {
        case .store:
          let keys = found.credentials.with(storeKeys)
          try merge(storeAt: other.path, keys, with: merger, &consolidation)
        case .bundle, .standardInput:
          try streams.forEach(in: other) { (export) throws(RasdError) in
            try merge([export], with: merger, &consolidation, &damaged)
          }
        case .export, .database, .unknown:
          let error = RasdError(.corrupt, .notAnExport)
          guard options.takesDamaged, RescueJob.isFor(other.path) else { throw error }
          damaged.append(DamagedSource(path: other.path, damage: error))
        }
      }
    }
    for source in damaged {
      try alone(source.path, run) { () throws(RasdError) in
        try merge(source, found.credentials, with: merger, &consolidation)
      }
    }
    consolidation.refused = run.sources.refused
    if run.rules.writing == .real, store.hasUnfinishedSource { try store.removeLeftovers() }
    guard !run.interrupt.requested else { return }
    try store.forgetPages()
    try Closing(store: store, run: run).report(into: &consolidation)
  }

  /// Merges exports in order, while those that follow are being proved; puts those aside that are
  /// damaged, where rows are to be got out of them.
  private func merge(
    _ exports: [OpenedExport],
    with merger: Merger,
    _ consolidation: inout Consolidation,
    _ damaged: inout [DamagedSource]
  ) throws(RasdError) {
    let run = merger.run
    let sorted = try SourceSorter(merger.store).sort(exports, run)
    try checkSpace(for: sorted.toRead, run)
    run.progress.begin(
      .merging,
      total: sorted.toRead.reduce(0) { $0 + $1.bytes },
      mergeWeight: Self.mergeWeight
    )
    for export in sorted.begun {
      run.progress.advance(verified: export.bytes)
      try merge(export, nil, with: merger, &consolidation)
    }
    try ExportVerifier(run: run).verifyAll(sorted.unproved, rows: .passedOver) {
      (export, proof) throws(RasdError) in
      if options.takesDamaged, case .file = export.place, let damage = proof.failure,
        damage.isDamage
      {
        return damaged.append(DamagedSource(path: export.path, damage: damage))
      }
      // A damaged copy of an export is refused, wherever its whole copy stands.
      guard let verification = try proof.admit(export, run) else { return }
      // The same export may stand twice among the sources.
      if let record = merger.store.source(export.key), record.state == .done {
        consolidation.add(export, try merger.recognise(record, path: export.path))
      } else {
        try merge(export, verification, with: merger, &consolidation)
      }
    }
    for (export, record) in sorted.known {
      consolidation.add(export, try merger.recognise(record, path: export.path))
    }
  }

  /// Says where the disk may not have room for what the exports say that they hold.
  private func checkSpace(for exports: [OpenedExport], _ run: Run) throws(RasdError) {
    let needed = exports.reduce(0) { $0 + $1.decodedBytes }
    guard let free = Outputs.freeSpace(at: place.path), Double(free) < needed else { return }
    try run.find(FindingEvent(.warning, .spaceShort, subject: ["path": .text(place.path)]))
  }

  /// Merging a byte takes about four times as long as proving it.
  private static let mergeWeight = 4

  /// Merges one; what is wrong with it alone does not stop the others.
  private func merge(
    _ export: OpenedExport,
    _ verification: Verification?,
    with merger: Merger,
    _ consolidation: inout Consolidation
  ) throws(RasdError) {
    try alone(export.path, merger.run) { () throws(RasdError) in
      consolidation.add(export, try merger.merge(export, verification))
    }
  }

  private func merge(
    storeAt path: String,
    _ credentials: Credentials,
    with merger: Merger,
    _ consolidation: inout Consolidation
  ) throws(RasdError) {
    let run = merger.run
    let other = try Store.open(at: path, credentials: credentials, access: .readingUntouched)
    defer { other.close() }
    guard other.id != merger.store.id else { throw RasdError(.unavailable, .sameStore) }
    guard var description = try other.asSource() else {
      throw RasdError(.unavailable, .nothingFound)
    }
    description.label = path
    let bytes = try PathFacts.target("\(path)/store.db").bytes
    try run.emit(
      SourceOpened(
        path: path,
        bytes: bytes,
        kind: .store,
        identity: description.identity,
        exportedAt: description.exportedAt,
        suite: nil,
        slot: nil,
        kid: nil
      )
    )
    var tables: TableTally
    if let record = merger.store.source(description.key), record.state != .merging {
      tables = try merger.recognise(record, path: path)
    } else {
      run.bytes += bytes
      tables = try merger.merge(other, description)
    }
    consolidation.add(description.namespace, description.exportedAt, blobs: 0, tables)
  }

  /// Does one source's work; an error that is about the source alone refuses it.
  private func alone(
    _ path: String,
    _ run: Run,
    _ work: () throws(RasdError) -> Void
  ) throws(RasdError) {
    guard !run.interrupt.requested else { return }
    do throws(RasdError) {
      try work()
    } catch  where error.reason == .interrupted {
      // Said once, by the run's status.
    } catch  where error.isOfSource {
      try run.refuse(path, error)
    }
  }
}

extension RasdError {
  /// Whether it is about the source and not about the store or the machine.
  fileprivate var isOfSource: Bool {
    switch reason {
    case .foreignNamespace, .cannotReplace, .sourceChanged, .sameStore, .nothingFound,
      .noKeyGiven, .wrongKey, .noMatchingSlot, .unsupportedVersion, .storeUnsettled,
      .migrationPending, .storeExport, .namespaceRequired, .unboundNamespace, .kdfLimits,
      .plaintextRefused:
      true
    default: code == .corrupt && reason != .storeDamaged || code == .integrity
    }
  }
}

extension Credentials {
  /// These keys and then those of another kind of thing.
  fileprivate func with(_ others: Credentials) -> Credentials {
    var all = self
    for candidate in others.candidates(for: nil) {
      all.add(candidate.key, source: candidate.source)
    }
    return all
  }
}
