import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// Merges exports that were proved whole into a store: rows and blobs in batches, each one
/// commit, from where an earlier run stopped.
///
/// The store is used from this thread alone; workers read, open and check what it takes.
struct Merger {
  let store: Store
  let run: Run
  let policy: IntakePolicy
  let strictForms: Bool
  let restoring: Restoring

  init(store: Store, run: Run, policy: IntakePolicy, strictForms: Bool) throws(RasdError) {
    (self.store, self.run, self.policy, self.strictForms) = (store, run, policy, strictForms)
    restoring = try Restoring(store, run)
  }

  /// What counts as a source of the run: what is merged, or the evidence that it was made of.
  enum Counting { case merged, evidence }

  /// Merges an export, or goes on with it; `verification` is what proved it, nil where an earlier
  /// run did.
  func merge(
    _ export: OpenedExport,
    _ verification: Verification?,
    counting: Counting = .merged
  ) throws(RasdError) -> TableTally {
    try merge(export.description, tables: export.tables, counting) { (session) throws(RasdError) in
      try export.note(provedAs: session.source, in: store)
      let isBegun = session.cursor != SourceCursor()
      let intake = try Intake(
        session: session,
        export: export,
        merger: self,
        badBlobs: isBegun ? nil : verification?.badBlobs,
        counting: counting
      )
      try intake.takeAll()
    }
  }

  /// Merges what this run made of evidence, or recognises it; nil where it does not prove whole.
  func take(_ spool: OpenedExport, counting: Counting) throws(RasdError) -> TableTally? {
    let proof = ExportVerifier(run: run).verify(spool, rows: .passedOver)
    guard let verification = try proof.admit(spool, run) else { return nil }
    if let known = store.source(spool.key), known.isKnown {
      return try recognise(known, spool, .closely, counting: counting)
    }
    return try merge(spool, verification, counting: counting)
  }

  /// Merges what another store holds.
  func merge(
    _ other: Store,
    _ description: SourceDescription
  ) throws(RasdError) -> TableTally {
    try merge(description, tables: [ObservationLine.table], .merged) {
      (session) throws(RasdError) in
      try StoreIntake(
        session: session,
        other: other,
        identity: description.identity,
        merger: self
      ).takeAll()
    }
  }

  private func merge(
    _ description: SourceDescription,
    tables: [TableName],
    _ counting: Counting,
    _ take: (SourceSession) throws(RasdError) -> Void
  ) throws(RasdError) -> TableTally {
    let began = run.seconds
    let session = try store.begin(description, tables: tables, policy: policy)
    do throws(RasdError) {
      try take(session)
    } catch {
      session.abandon()
      throw error
    }
    let tally = TableTally(session.tally)
    try say(
      SourceDone(
        path: description.label,
        tables: tally,
        known: false,
        seconds: run.seconds - began
      ),
      counting
    )
    return tally
  }

  private func say(_ source: SourceDone, _ counting: Counting) throws(RasdError) {
    switch counting {
    case .merged: try run.done(source)
    case .evidence: try run.entered(source)
    }
  }

  /// Reports an export that was merged before: reading it again would find every row held.
  ///
  /// Blobs of it that the store has lost are brought back.
  func recognise(
    _ record: SourceRecord,
    _ export: OpenedExport,
    _ look: Restoring.Look,
    counting: Counting = .merged
  ) throws(RasdError) -> TableTally {
    try restoring.restore(from: export, look)
    return try recognise(record, path: export.path, counting)
  }

  func recognise(
    _ record: SourceRecord,
    _ other: Store,
    path: String
  ) throws(RasdError) -> TableTally {
    try restoring.restore(from: other, path: path)
    return try recognise(record, path: path, .merged)
  }

  private func recognise(
    _ record: SourceRecord,
    path: String,
    _ counting: Counting
  ) throws(RasdError) -> TableTally {
    if record.isRetracted {
      try run.find(FindingEvent(.warning, .sourceExcluded, subject: ["path": .text(path)]))
    }
    let tally = TableTally(record.tally).asHeld
    try say(SourceDone(path: path, tables: tally, known: true, seconds: 0), counting)
    return tally
  }
}

extension SourceRecord {
  /// Whether nothing of it is to be taken: it was merged, or is excluded and all of it purged.
  var isKnown: Bool { state == .done || state == .purged && isRetracted }
}

extension SourceDescription {
  var identity: SourceIdentity {
    SourceIdentity(exportId: key.exportId, manifest: key.manifest, namespace: namespace.text)
  }
}

extension OpenedExport {
  /// The source as the ledger knows it.
  var description: SourceDescription {
    SourceDescription(
      key: key,
      origin: meta?.origin.flatMap(SourceOrigin.init) ?? .device,
      namespace: namespace,
      exportedAt: exportedAt,
      sequence: meta?.sequence,
      isPartial: meta?.isFiltered ?? false,
      label: path
    )
  }

  var key: SourceKey {
    SourceKey(
      exportId: exportID.text,
      manifest: sourceDigest,
      jsonl: end?.rowsDigest ?? sourceDigest
    )
  }
}

extension TableTally {
  init(_ tallies: [TableName: RowTally]) {
    self.init()
    for (table, tally) in tallies { self[table] = tally }
  }

  /// What reading the same rows again comes to: those that were taken are held.
  var asHeld: TableTally {
    var held = TableTally()
    for (table, tally) in tables {
      held[table][.rejected] = tally[.rejected]
      held[table][.kept] = tally[.kept]
      held[table][.unchanged] = tally.rows - tally[.rejected] - tally[.kept]
    }
    return held
  }
}
