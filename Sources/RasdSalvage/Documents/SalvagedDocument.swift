internal import RasdCrypto
package import RasdModel

/// A document as its chunks give it; its bytes are read from the evidence again when they are
/// wanted.
package struct SalvagedDocument: Sendable {
  /// A stretch of a document, in order.
  package enum Stretch: Sendable {
    case bytes([UInt8])
    /// So many bytes are missing.
    case hole(Int64)
  }

  /// The table of its row.
  package let table: String
  package let id: String
  package let length: Int64
  /// What no chunk gives, by places in the document.
  package let holes: [Range<Int64>]
  /// Whether a row names it; else its name and length are unknown, and only its chunks speak.
  package let isListed: Bool
  /// Whether it is delivered for the first time: a row may be there twice.
  package internal(set) var isNew = false
  /// Chunks that it is made of.
  package var chunkCount: Int { parts.count }

  let key: UInt64
  /// The worst grade among its chunks.
  let grade: Grade
  private let parts: [Part]
  private let reader: ChunkReader

  private struct Part: Sendable {
    let chunk: Chunk
    let count: Int
  }

  /// `length` is the whole's where it is known; `chunks` are in order, the best of each first.
  init?(
    _ key: UInt64,
    id: String,
    length: Int64?,
    isListed: Bool,
    _ chunks: ArraySlice<Chunk>,
    _ tables: DocumentTables,
    _ reader: ChunkReader
  ) {
    guard let end = length ?? chunks.map({ $0.offset + Int64($0.length) }).max() else { return nil }
    var parts: [Part] = []
    var holes: [Range<Int64>] = []
    var at: Int64 = 0
    for chunk in chunks where chunk.offset >= at && chunk.offset < end {
      let count = min(Int64(chunk.available), tables.chunkBytes, end - chunk.offset)
      guard count > 0 else { continue }
      if chunk.offset > at { holes.append(at..<chunk.offset) }
      parts.append(Part(chunk: chunk, count: Int(count)))
      at = chunk.offset + count
    }
    if at < end { holes.append(at..<end) }
    table = reader.catalog.tables[tables.documents].name
    self.id = id
    self.length = end
    self.holes = holes
    self.isListed = isListed
    self.key = key
    grade = parts.map(\.chunk.grade).min() ?? .verified
    self.parts = parts
    self.reader = reader
  }

  /// Reads its bytes, a chunk at a time.
  package func read(
    _ sink: (Stretch) throws(RasdError) -> Void
  ) throws(RasdError) {
    var at: Int64 = 0
    for part in parts {
      if part.chunk.offset > at { try sink(.hole(part.chunk.offset - at)) }
      let bytes = reader.bytes(of: part.chunk, count: part.count)
      try sink(.bytes(bytes))
      at = part.chunk.offset + Int64(bytes.count)
    }
    if at < length { try sink(.hole(length - at)) }
  }

  /// The SHA-256 of a document without holes.
  func digest() -> SHA256Digest {
    var digest = SHA256()
    for part in parts {
      let bytes = reader.bytes(of: part.chunk, count: part.count)
      digest.update(bytes.span)
    }
    return digest.finish()
  }
}

/// Reads chunks again from the pages that hold them.
struct ChunkReader: Sendable {
  let source: PageSource
  let map: PageMap
  let catalog: Catalog
  let tables: [DocumentTables]

  func bytes(of chunk: Chunk, count: Int) -> [UInt8] {
    guard let (payload, _) = payload(of: chunk) else { return [] }
    let start = Int(chunk.start)
    guard start <= payload.count else { return [] }
    return Array(payload[start..<min(start + count, payload.count)])
  }

  /// The id of a chunk's document, as its row has it.
  func documentID(of chunk: Chunk) -> String? {
    guard let (payload, size) = payload(of: chunk) else { return nil }
    let tables = tables[Int(chunk.tables)]
    var batch = RowBatch()
    batch.bytes = payload
    var decoder = RowDecoder(encoding: catalog.encoding)
    let range = ByteRange(start: 0, count: payload.count)
    let table = catalog.tables[tables.chunks]
    guard decoder.append(range, size: size, rowid: nil, of: table, to: &batch) != nil else {
      return nil
    }
    return batch.values[tables.chunkDocument].documentID(in: batch.bytes)
  }

  private func payload(of chunk: Chunk) -> ([UInt8], size: Int)? {
    let isIndex = catalog.tables[tables[Int(chunk.tables)].chunks].schema.isWithoutRowid
    let payloads = PayloadReader(source)
    guard let page = source.current(chunk.page),
      let cell = Cell(
        page.bytes.span,
        at: Int(chunk.cell),
        kind: chunk.isInterior ? .indexInterior : isIndex ? .indexLeaf : .tableLeaf,
        spill: payloads.spill,
        limit: page.usable
      )
    else { return nil }
    let links = cell.spills ? map.chainLength(page: page.number, first: cell.overflow) : 0
    var bytes: [UInt8] = []
    _ = payloads.append(cell, of: page, links: links, to: &bytes)
    return (bytes, cell.payloadSize)
  }
}

extension SalvagedValue {
  /// A document's id in words; `nil` for what is none.
  func documentID(in bytes: [UInt8]) -> String? {
    switch self {
    case .integer(let integer): String(integer)
    case .text(let range): String(decoding: bytes[range.range], as: UTF8.self)
    case .blob(let range): Hex.encode(Array(bytes[range.range]))
    case .null, .real, .brokenText, .absent: nil
    }
  }

  /// The hash of a document's id, by which its chunks find it.
  func documentKey(in bytes: [UInt8], tables: Int) -> UInt64? {
    var hash = QuickHash(seed: UInt64(tables))
    switch self {
    case .integer(let integer): hash.mix(UInt64(bitPattern: integer))
    case .text(let range), .blob(let range): hash.mix(bytes.span.extracting(range.range))
    case .null, .real, .brokenText, .absent: return nil
    }
    return hash.value
  }
}
