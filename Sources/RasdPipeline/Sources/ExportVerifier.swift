import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// Reads exports whole, several at once where there are several, one with all cores where
/// there is one.
struct ExportVerifier {
  let run: Run

  /// What is made of the rows while the export is proved.
  enum Rows: Sendable {
    /// Each is checked as it would be for merging.
    case checked
    /// Nothing: merging reads them again.
    case passedOver
  }

  /// Calls `consume` with each export and what came of it, in order, on this thread.
  ///
  /// While one is consumed others are being proved, no more ahead than there are workers.
  func verifyAll(
    _ exports: [OpenedExport],
    rows: Rows,
    consume: (OpenedExport, ExportProof) throws(RasdError) -> Void
  ) throws(RasdError) {
    let verify = verifier(rows, workers: exports.count > 1 ? 1 : run.rules.jobs)
    try OrderedWork.run(
      0..<exports.count,
      workers: run.rules.jobs,
      ahead: OrderedWork.Ahead(items: run.rules.jobs, weight: .max),
      weight: { _ in 1 },
      makeWorker: { { index in verify(exports[index]) } },
      consume: { (index, proof: ExportProof) throws(RasdError) in
        run.progress.sources(done: index, of: exports.count)
        guard !run.interrupt.requested else { return }
        try consume(exports[index], proof)
      }
    )
  }

  /// Proves one with all cores, on this thread.
  func verify(_ export: OpenedExport, rows: Rows) -> ExportProof {
    verifier(rows, workers: run.rules.jobs)(export)
  }

  private func verifier(_ rows: Rows, workers: Int) -> @Sendable (OpenedExport) -> ExportProof {
    let (progress, interrupt) = (run.progress, run.interrupt)
    return { export in
      do throws(RasdError) {
        return try ExportProof(export, rows, workers, progress, interrupt)
      } catch {
        return ExportProof(failure: error)
      }
    }
  }
}

/// What came of reading an export whole.
struct ExportProof: Sendable {
  private(set) var verification: Result<Verification, RasdError>
  /// Rows by table: those that hold count as `kept`, since nothing is imported.
  private(set) var tables = TableTally()
  /// The first of the rows that were rejected.
  private(set) var rejected: [RejectedRow] = []

  /// More would fill memory, and say no more of what is wrong with the export.
  private static let mostRejected = 10_000

  init(failure: RasdError) { verification = .failure(failure) }

  init(
    _ export: OpenedExport,
    _ rows: ExportVerifier.Rows,
    _ workers: Int,
    _ progress: Progress,
    _ interrupt: Interrupt
  ) throws(RasdError) {
    let reader = try export.reader()
    let entries = reader.file.entries
    verification = .failure(RasdError(.unavailable, .interrupted))
    guard case .checked = rows else {
      verification = .success(
        try reader.verify(
          workers: workers,
          makeRows: { { _, _ in } },
          onRows: { (part: RowsPart, _: Void) throws(RasdError) in
            try interrupt.check()
            progress.advance(verified: entries[part.entry].size)
          },
          onBlob: { (part, _) throws(RasdError) in
            try interrupt.check()
            progress.advance(verified: entries[part.entry].size)
          }
        )
      )
      return
    }
    let rules = RowRules(namespace: export.namespace, isStoreExport: false, strictForms: false)
    let whole = try reader.verify(
      workers: workers,
      makeRows: rules.makeChecker,
      onRows: { (part: RowsPart, checked: [RejectedRow]) throws(RasdError) in
        try interrupt.check()
        progress.advance(verified: entries[part.entry].size, rows: part.rows)
        tables[part.table][.rejected] += checked.count
        tables[part.table][.kept] += part.rows - checked.count
        rejected += checked.prefix(Self.mostRejected - rejected.count)
      },
      onBlob: { (part, _) throws(RasdError) in
        try interrupt.check()
        progress.advance(verified: entries[part.entry].size)
      }
    )
    verification = .success(whole)
  }

  /// Why it is not whole.
  var failure: RasdError? {
    switch verification {
    case .success(let whole): whole.cause
    case .failure(let error): error.reason == .interrupted ? nil : error
    }
  }

  /// What was verified where the export is whole; where it is not it is refused, with the
  /// command that gets out what can be had.
  func admit(_ export: OpenedExport, _ run: Run) throws(RasdError) -> Verification? {
    if let failure {
      try run.refuse(export.path, failure, help: ["rasdkit", "salvage", export.path])
      return nil
    }
    guard case .success(let whole) = verification else { return nil }
    try run.emit(whole.event(for: export))
    return whole
  }
}

/// A row that failed its checks, and where it stands.
struct RejectedRow: Sendable {
  let table: TableName
  let entry: EntryName
  /// Its number in the table, from 1.
  let line: Int
  let rejection: RowRejection

  func event(in export: OpenedExport, _ shade: KeyShade) -> RowEvent {
    RowEvent(
      table: table.text,
      key: rejection.key.map(shade.json),
      outcome: .rejected,
      error: rejection.shadedError,
      provenance: Provenance(
        identity: export.identity,
        entry: String(decoding: entry.bytes, as: UTF8.self),
        line: line
      )
    )
  }
}

extension RowRules {
  /// A worker's own check of a part's lines: what is wrong with them.
  @Sendable func makeChecker() -> (RowsPart, Span<UInt8>) -> [RejectedRow] {
    let read = makeReader()
    return { part, body in
      read(part, body).enumerated().compactMap { index, row in
        guard case .rejected(let rejection, _) = row else { return nil }
        return RejectedRow(
          table: part.table,
          entry: part.name,
          line: part.rowsBefore + index + 1,
          rejection: rejection
        )
      }
    }
  }
}

extension Verification {
  fileprivate func event(for export: OpenedExport) -> SourceVerified {
    SourceVerified(
      path: export.path,
      rows: tables.compactMap { table in TableName(table.name).map { ($0, table.rows) } },
      blobs: blobs.count,
      blobBytes: blobs.bytes,
      proved: ["structure", "seals", "order", "counts", "hashes"]
    )
  }
}

extension Verification.BadBlob {
  func event(in export: OpenedExport) -> BlobEvent {
    BlobEvent(
      id: id.text,
      sha256: sha256,
      bytes: bytes,
      outcome: .quarantined,
      error: RasdError(.integrity, .blobHashMismatch),
      provenance: Provenance(identity: export.identity)
    )
  }
}

extension Run {
  /// Reports a blob that is not what its row says: an error, though the row stays.
  func find(blob: Verification.BadBlob, in export: OpenedExport) throws(RasdError) {
    try emit(blob.event(in: export))
    try find(
      FindingEvent(
        .error,
        .blobHashMismatch,
        code: .integrity,
        subject: ["path": .text(export.path), "id": .text(blob.id.text)]
      )
    )
  }
}
