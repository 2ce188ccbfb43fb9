internal import RasdModel

extension PageRows {
  /// Where the bytes of the chunk that was read last lie; `nil` where it has no place in a document.
  func chunk(
    _ page: Page,
    _ row: SalvagedRow,
    cell: Int,
    payload: Int,
    _ fields: [RecordField]
  ) -> Chunk? {
    guard let index = plan.documents.firstIndex(where: { $0.chunks == row.table }) else {
      return nil
    }
    let tables = plan.documents[index]
    let values = batch.values(of: row)
    guard
      let document = values[values.startIndex + tables.chunkDocument]
        .documentKey(in: batch.bytes, tables: index),
      case .integer(let number) = values[values.startIndex + tables.chunkIndex],
      let offset = tables.offset(ofChunk: number), tables.chunkField < fields.count
    else { return nil }
    let field = fields[tables.chunkField]
    guard SerialType.isText(field.type) || SerialType.isBlob(field.type) else { return nil }
    return Chunk(
      document: document,
      offset: offset,
      page: page.number,
      cell: UInt32(cell),
      start: UInt32(clamping: field.offset),
      available: UInt32(clamping: min(field.end, payload) - field.offset),
      length: UInt32(clamping: field.length),
      tables: UInt32(clamping: index),
      isInterior: row.cell >= 0 && plan.map.shape(page.number) == .indexInterior,
      grade: row.grade,
      kind: row.kind
    )
  }

  /// The document that a row names, and what its own hash says of it.
  func document(
    _ values: Range<Int>,
    of table: Int
  ) -> (document: SalvagedDocument, proof: NativeRows.Proof)? {
    guard let index = plan.documents.firstIndex(where: { $0.documents == table }) else {
      return nil
    }
    let tables = plan.documents[index]
    let id = batch.values[values.lowerBound + tables.id]
    guard let key = id.documentKey(in: batch.bytes, tables: index), plan.chunks.isJoined(key),
      let name = id.documentID(in: batch.bytes)
    else { return nil }
    var length: Int64?
    if let place = tables.bytes,
      case .integer(let number) = batch.values[values.lowerBound + place],
      (0...DocumentTables.longest).contains(number)
    {
      length = number
    }
    let document = SalvagedDocument(
      key,
      id: name,
      length: length,
      isListed: true,
      plan.chunks.of(key),
      tables,
      plan.chunkReader
    )
    guard let document else { return nil }
    guard document.holes.isEmpty, let place = tables.sha256,
      case .text(let range) = batch.values[values.lowerBound + place]
    else { return (document, .none) }
    let text = String(decoding: batch.bytes[range.range], as: UTF8.self)
    guard let told = SHA256Digest(hex: text) ?? SHA256Digest(prefixed: text) else {
      return (document, .none)
    }
    return (document, told == document.digest() ? .holdsButForKey : .fails)
  }
}
