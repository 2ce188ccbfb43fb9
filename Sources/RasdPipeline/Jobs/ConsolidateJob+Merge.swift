import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

// What was found, merged kind by kind: exports, streams of them, stores, what is damaged.

extension ConsolidateJob {
  /// Merges all that was found, and says what stands in the store then.
  func merge(
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
    let merger = try Merger(
      store: store,
      run: run,
      policy: policy,
      strictForms: options.strictForms
    )
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
    try merger.restoring.report()
    consolidation.restored = merger.restoring.restored
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
    let copies = Dictionary(grouping: exports, by: \.manifestDigest)
    var broken: [(OpenedExport, RasdError)] = []
    try ExportVerifier(run: run).verifyAll(sorted.unproved, rows: .passedOver) {
      (export, proof) throws(RasdError) in
      if let damage = proof.failure, damage.isDamage {
        // What there is to say of it depends on its copies, whichever comes first.
        let hasCopies = (copies[export.manifestDigest]?.count ?? 0) > 1
        if hasCopies { return broken.append((export, damage)) }
        return try turnDown(export, damage, with: merger, &damaged)
      }
      guard let verification = try proof.admit(export, run) else { return }
      // The same export may stand twice among the sources, or in another file than before.
      guard let record = merger.store.source(export.key), record.isKnown else {
        return try merge(export, verification, with: merger, &consolidation)
      }
      try export.note(provedAs: record.number, in: merger.store)
      run.progress.advance(merged: export.bytes)
      try recognise(record, export, .inPassing, with: merger, &consolidation)
    }
    for (export, damage) in broken {
      try turnDown(export, damage, with: merger, &damaged)
    }
    let isAllKnown = sorted.toRead.isEmpty
    if isAllKnown {
      run.progress.begin(
        .checking,
        total: sorted.known.reduce(0) { $0 + ($1.0.end?.blobs.bytes ?? 0) }
      )
    }
    for (export, record) in sorted.known {
      let look: Restoring.Look = isAllKnown ? .closely : .inPassing
      try recognise(record, export, look, with: merger, &consolidation)
    }
  }

  /// Refuses an export that is not whole, wherever its whole copy stands, or puts it aside where
  /// rows are to be got out of it.
  private func turnDown(
    _ export: OpenedExport,
    _ damage: RasdError,
    with merger: Merger,
    _ damaged: inout [DamagedSource]
  ) throws(RasdError) {
    if merger.store.hasWhole(export) {
      try merger.run.refuse(export.path, damage.heldWhole)
    } else if options.takesDamaged, case .file = export.place {
      damaged.append(DamagedSource(path: export.path, damage: damage))
    } else {
      try merger.run.refuse(export.path, damage, help: ["rasdkit", "salvage", export.path])
    }
  }

  private func recognise(
    _ record: SourceRecord,
    _ export: OpenedExport,
    _ look: Restoring.Look,
    with merger: Merger,
    _ consolidation: inout Consolidation
  ) throws(RasdError) {
    try alone(export.path, merger.run) { () throws(RasdError) in
      consolidation.add(export, try merger.recognise(record, export, look))
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
    if let record = merger.store.source(description.key), record.isKnown {
      tables = try merger.recognise(record, other, path: path)
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

extension Store {
  /// Whether the rows of an export were merged from a whole copy of it.
  fileprivate func hasWhole(_ export: OpenedExport) -> Bool {
    sources.contains { source in
      let key = source.description.key
      return source.state == .done && source.isActive && key.exportId == export.exportID.text
        && key.manifest == export.manifestDigest
    }
  }
}

extension RasdError {
  /// The same of a copy of what the store has whole.
  fileprivate var heldWhole: RasdError {
    var error = self
    error.details["heldWhole"] = .flag(true)
    return error
  }

  /// Whether it is about the source and not about the store or the machine.
  var isOfSource: Bool {
    switch reason {
    case .foreignNamespace, .cannotReplace, .sourceChanged, .sameStore, .nothingFound,
      .noKeyGiven, .wrongKey, .noMatchingSlot, .unsupportedVersion, .storeUnsettled,
      .migrationPending, .namespaceRequired, .unboundNamespace, .kdfLimits,
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
