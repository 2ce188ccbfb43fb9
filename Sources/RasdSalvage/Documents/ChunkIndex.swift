internal import RasdModel

/// Where the bytes of one chunk lie, so that they need not be kept until their document is known.
struct Chunk: Sendable {
  /// The hash of its document's id.
  let document: UInt64
  /// Its first byte's place in the document.
  let offset: Int64
  let page: UInt32
  /// Where in the page its cell begins.
  let cell: UInt32
  /// Where in the cell's payload its bytes begin, and how many of them the pages give.
  let start: UInt32
  let available: UInt32
  /// How many it has by its record.
  let length: UInt32
  /// Index of its tables among those of documents.
  let tables: UInt32
  let isInterior: Bool
  let grade: Grade
  let kind: RowKind
}

/// The chunks of documents, 48 bytes each: of half a mebibyte, a ten-thousandth of the file.
///
/// Where a file has more of them than may stand in memory, the documents whose hash is above a bound
/// are left out whole, and no document lacks some of its chunks for that.
struct ChunkIndex: Sendable {
  private(set) var chunks: [Chunk] = []
  /// Rows of chunks that were looked at, those without a place in any document included.
  private(set) var seen = 0
  /// Chunks of documents that are left out.
  private(set) var unjoined = 0
  private var bound = UInt64.max
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ found: [Chunk], of rows: Int) {
    seen += rows
    for chunk in found {
      if isJoined(chunk.document) { chunks.append(chunk) } else { unjoined += 1 }
    }
    while chunks.count > limit, bound > 0 {
      bound /= 2
      let before = chunks.count
      chunks.removeAll { $0.document > bound }
      unjoined += before - chunks.count
    }
  }

  /// Whether all chunks of a document are here.
  func isJoined(_ document: UInt64) -> Bool { document <= bound }

  /// Puts the chunks of a document together, in their order, of several copies the best first.
  mutating func sort() {
    chunks.sort { a, b in
      if a.document != b.document { return a.document < b.document }
      if a.offset != b.offset { return a.offset < b.offset }
      if a.grade != b.grade { return b.grade < a.grade }
      if a.kind != b.kind { return a.kind < b.kind }
      return (a.page, a.cell) < (b.page, b.cell)
    }
  }

  func of(_ document: UInt64) -> ArraySlice<Chunk> {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].document < document { low = middle + 1 } else { high = middle }
    }
    return chunks[low...].prefix { $0.document == document }
  }

  /// Calls `body` with each document that has a chunk.
  func forEachDocument(
    _ body: (ArraySlice<Chunk>) throws(RasdError) -> Void
  ) throws(RasdError) {
    var from = 0
    while from < chunks.count {
      let document = of(chunks[from].document)
      try body(document)
      from = document.endIndex
    }
  }
}
