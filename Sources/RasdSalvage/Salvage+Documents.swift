internal import RasdModel

extension Salvage {
  /// Chunks of documents that are not joined, there being more than may stand in memory.
  package var unjoinedChunks: Int { chunks.unjoined }

  /// Notes where the chunks of documents lie.
  mutating func findChunks() async throws(RasdError) {
    documents = (catalog.profile?.documents ?? []).compactMap { DocumentTables($0, in: catalog) }
    guard !documents.isEmpty else { return }
    let reading = plan(for: .chunks)
    let tables = Set(documents.map(\.chunks))
    let pages = (1...max(1, map.count)).filter { page in
      reading.table(of: page).map { tables.contains($0) } ?? false
    }
    var chunks = ChunkIndex(limit: options.chunkLimit)
    try await source.forEach(of: pages, workers: options.workers) { page in
      Self.live(page, reading).map { (chunks: $0.chunks, rows: $0.batch.rows.count) }
    } consume: { (found: (chunks: [Chunk], rows: Int)?) throws(RasdError) in
      if let found { chunks.add(found.chunks, of: found.rows) }
    }
    chunks.sort()
    self.chunks = chunks
  }

  /// Delivers the documents that have chunks and no row.
  func unlisted(
    _ plan: SalvagePlan,
    _ ledger: inout SalvageLedger,
    _ sink: (RowBatch) throws(RasdError) -> Void
  ) throws(RasdError) {
    guard !documents.isEmpty else { return }
    ledger.documents.chunks = chunks.seen
    try chunks.forEachDocument { (chunks: ArraySlice<Chunk>) throws(RasdError) in
      guard let first = chunks.first, !ledger.knows(document: first.document) else { return }
      let document = SalvagedDocument(
        first.document,
        id: plan.chunkReader.documentID(of: first) ?? "",
        length: nil,
        isListed: false,
        chunks,
        documents[Int(first.tables)],
        plan.chunkReader
      )
      guard let document, document.chunkCount > 0 else { return }
      var batch = RowBatch()
      batch.documents = [document]
      ledger.deliver(&batch)
      try sink(batch)
    }
  }
}
