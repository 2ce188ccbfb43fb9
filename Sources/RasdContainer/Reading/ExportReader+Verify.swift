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
    try run(from: 0, workers: workers, isWanted: nil, makeRows: makeRows, makeBlob: nil) {
      (result: EntryResult<Rows, Never>) throws(RasdError) in
      try walk.take(result, onRows) { (part, bytes, _) throws(RasdError) in
        try onBlob(part, bytes)
      }
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
  /// Before anything is handed over, the entries are held against the end record, so that their
  /// numbers mean what they meant then. Seals, checksums and continuity are checked again; the
  /// first failure is thrown. Blobs that `isWanted` turns down are neither read nor handed over;
  /// one that it wants is, wherever it stands, since blobs have no order. Gives the digest of all rows of
  /// a plaintext export that is read from its start: what proves it to be the one that was verified.
  ///
  /// `makeBlob` is called on a worker's thread with the bytes and hash of each blob that stands
  /// in one part; `onBlob` gets what was made of such a one, of every other part the bytes.
  @discardableResult
  package func decode<Rows: Sendable, Blob: Sendable>(
    from entry: Int = 0,
    workers: Int,
    isWanted: (@Sendable (BlobID) -> Bool)? = nil,
    makeRows: @escaping @Sendable () -> (RowsPart, Span<UInt8>) -> Rows,
    makeBlob: (@Sendable (Span<UInt8>, SHA256Digest) -> Blob)?,
    onRows: (RowsPart, Rows) throws(RasdError) -> Void,
    onBlob: (BlobPart, Span<UInt8>, Blob?) throws(RasdError) -> Void
  ) throws(RasdError) -> SHA256Digest? {
    let first = min(entry, try callRoll(firstOf: isWanted))
    var walk = Walk(self, decodingFrom: first)
    var names = EntryReader(file.source)
    for passed in file.entries.prefix(first) {
      walk.pass(try names.name(of: passed), at: passed.offset)
    }
    try run(
      from: first,
      workers: workers,
      isWanted: isWanted,
      makeRows: makeRows,
      makeBlob: makeBlob
    ) {
      (result: EntryResult<Rows, Blob>) throws(RasdError) in
      try walk.take(result, onRows, onBlob)
      if let failure = walk.firstFailure { throw failure }
    }
    return try walk.finishDecoding()
  }

  /// Proves by names alone that the entries are as many, and in such an order, as when the export
  /// was proved; the number of the first that is a wanted blob, or of none.
  private func callRoll(firstOf isWanted: ((BlobID) -> Bool)?) throws(RasdError) -> Int {
    var walk = Walk(self, decodingFrom: 0)
    var names = EntryReader(file.source)
    var first = file.entries.count
    for (number, entry) in file.entries.enumerated() {
      let name = try names.name(of: entry)
      walk.pass(name, at: entry.offset)
      if case .blob(let id, _) = name, number < first, isWanted?(id) ?? true { first = number }
    }
    try walk.finishRoll(endRecord())
    return first
  }

  /// How far decoding may run ahead of its consumer: no more bytes than a full part and a half,
  /// so that memory does not depend on the export, and so few blobs that their files may be open.
  private static let ahead = OrderedWork.Ahead(items: 64, weight: 24 << 20)

  /// What is set aside for an entry until it is known what it inflates to.
  private static func reserve(_ entry: ZipEntry, _ workers: Int) -> Int {
    max(entry.size, ahead.weight / (2 * workers))
  }

  private func run<Rows: Sendable, Blob: Sendable>(
    from first: Int,
    workers: Int,
    isWanted: (@Sendable (BlobID) -> Bool)?,
    makeRows: @escaping @Sendable () -> (RowsPart, Span<UInt8>) -> Rows,
    makeBlob: (@Sendable (Span<UInt8>, SHA256Digest) -> Blob)?,
    consume: (EntryResult<Rows, Blob>) throws(RasdError) -> Void
  ) throws(RasdError) {
    let entries = file.entries
    try OrderedWork.run(
      min(first, entries.count)..<entries.count,
      workers: workers,
      ahead: Self.ahead,
      weight: { Self.reserve(entries[$0], workers) },
      held: \.held,
      makeWorker: {
        let worker = WorkerBox(
          EntryWorker<Rows, Blob>(
            self,
            isWanted: isWanted,
            makeRows: makeRows(),
            makeBlob: makeBlob
          )
        )
        return { worker.work($0) }
      },
      consume: { (_, result: EntryResult<Rows, Blob>) throws(RasdError) in try consume(result) }
    )
  }
}

/// A worker that a closure can hold.
private final class WorkerBox<Rows: Sendable, Blob: Sendable> {
  private var worker: EntryWorker<Rows, Blob>

  init(_ worker: consuming EntryWorker<Rows, Blob>) { self.worker = worker }

  func work(_ index: Int) -> EntryResult<Rows, Blob> { worker.work(index) }
}
