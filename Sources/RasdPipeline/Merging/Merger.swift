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
  /// Rows a commit (the merge rules, §Transactions).
  static let batchRows = 200
  /// Bytes of blobs a commit: what a kill can make a run do again.
  static let batchBytes = 8 << 20

  let store: Store
  let run: Run
  let policy: IntakePolicy
  let strictForms: Bool

  /// Merges an export; `verification` is what proved it, nil where an earlier run did.
  func merge(_ export: OpenedExport, _ verification: Verification?) throws(RasdError) -> TableTally
  {
    let began = run.seconds
    let session = try store.begin(
      export.description,
      tables: export.tables,
      policy: policy
    )
    let intake = try Intake(
      session: session,
      export: export,
      merger: self,
      badBlobs: verification?.badBlobs
    )
    do throws(RasdError) {
      try intake.takeAll()
    } catch {
      session.abandon()
      throw error
    }
    let tables = TableTally(session.tally)
    try run.done(
      SourceDone(path: export.path, tables: tables, known: false, seconds: run.seconds - began)
    )
    return tables
  }

  /// Reports a source that an earlier run merged: reading it again would find every row held.
  func recognise(_ export: OpenedExport, _ record: SourceRecord) throws(RasdError) {
    if record.isRetracted {
      try run.find(
        FindingEvent(.notice, .sourceExcluded, subject: ["path": .text(export.path)])
      )
    }
    try run.done(
      SourceDone(
        path: export.path,
        tables: TableTally(record.tally).asHeld,
        known: true,
        seconds: 0
      )
    )
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
      manifest: manifestDigest,
      jsonl: end?.rowsDigest ?? manifestDigest
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
