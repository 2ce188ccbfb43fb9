import RasdCrypto
package import RasdModel

extension ExportReader {
  /// Reads the export whole and lists what is wrong with it (the format, §Verifying).
  ///
  /// `makeRows` is called once on each worker's thread; what it gives turns the lines of a part
  /// into what `onRows` gets, part after part in file order, on the calling thread. Rows and
  /// blobs handed over come from entries that are sound on their own; whether the export is
  /// whole shows at the end. What a handler throws ends the reading.
  package func verify<Rows: Sendable>(
    workers: Int,
    makeRows: @escaping @Sendable () -> (RowsPart, Span<UInt8>) -> Rows,
    onRows: (RowsPart, Rows) throws(RasdError) -> Void,
    onBlob: (BlobPart, Span<UInt8>) throws(RasdError) -> Void = { _, _ in }
  ) throws(RasdError) -> Verification {
    var walk = Walk(self)
    try run(from: 0, workers: workers, isWanted: nil, makeRows: makeRows) {
      (result: EntryResult<Rows>) throws(RasdError) in
      try walk.take(result, onRows, onBlob)
    }
    return walk.finish()
  }

  /// Proves the export whole and makes nothing of its rows.
  package func verify(workers: Int) throws(RasdError) -> Verification {
    try verify(
      workers: workers,
      makeRows: { { _, _ in } },
      onRows: { (_, _: Void) in }
    )
  }

  /// Reads the rows and blobs of an export that was proved whole, from an entry on.
  ///
  /// Seals, checksums and continuity are checked again; the first failure is thrown. Blobs that
  /// `isWanted` turns down are neither read nor handed over. Gives the digest of all rows where
  /// reading began at the start: what proves a plaintext export to be the one that was verified.
  @discardableResult
  package func decode<Rows: Sendable>(
    from entry: Int = 0,
    workers: Int,
    isWanted: (@Sendable (BlobID) -> Bool)? = nil,
    makeRows: @escaping @Sendable () -> (RowsPart, Span<UInt8>) -> Rows,
    onRows: (RowsPart, Rows) throws(RasdError) -> Void,
    onBlob: (BlobPart, Span<UInt8>) throws(RasdError) -> Void
  ) throws(RasdError) -> SHA256Digest? {
    var walk = Walk(self, decodingFrom: entry)
    try run(from: entry, workers: workers, isWanted: isWanted, makeRows: makeRows) {
      (result: EntryResult<Rows>) throws(RasdError) in
      try walk.take(result, onRows, onBlob)
      if let failure = walk.firstFailure { throw failure }
    }
    return try walk.finishDecoding()
  }

  /// How far decoding may run ahead of its consumer: a few parts, and no more than a full one
  /// and a half, so that memory does not depend on the export.
  private static func ahead(_ workers: Int) -> OrderedWork.Ahead {
    OrderedWork.Ahead(items: workers * 2, weight: 24 << 20)
  }

  private func run<Rows: Sendable>(
    from first: Int,
    workers: Int,
    isWanted: (@Sendable (BlobID) -> Bool)?,
    makeRows: @escaping @Sendable () -> (RowsPart, Span<UInt8>) -> Rows,
    consume: (EntryResult<Rows>) throws(RasdError) -> Void
  ) throws(RasdError) {
    let entries = file.entries
    try OrderedWork.run(
      min(first, entries.count)..<entries.count,
      workers: workers,
      ahead: Self.ahead(workers),
      weight: { entries[$0].size },
      makeWorker: {
        let worker = WorkerBox(
          EntryWorker<Rows>(
            self,
            isWanted: isWanted,
            makeRows: makeRows()
          )
        )
        return { worker.work($0) }
      },
      consume: { (_, result: EntryResult<Rows>) throws(RasdError) in try consume(result) }
    )
  }
}

/// A worker that a closure can hold.
private final class WorkerBox<Rows: Sendable> {
  private var worker: EntryWorker<Rows>

  init(_ worker: consuming EntryWorker<Rows>) { self.worker = worker }

  func work(_ index: Int) -> EntryResult<Rows> { worker.work(index) }
}
