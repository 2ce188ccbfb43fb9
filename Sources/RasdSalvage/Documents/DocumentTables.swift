/// The two tables of a rule as the catalog has them, their columns as places among a row's values.
struct DocumentTables: Sendable {
  let documents: Int
  let id: Int
  let bytes: Int?
  let sha256: Int?
  let chunks: Int
  let chunkDocument: Int
  let chunkIndex: Int
  /// The place of a chunk's bytes among the fields of its record.
  let chunkField: Int
  let chunkBytes: Int64
  let firstIndex: Int64

  /// No document of a phone is longer: a length or a place past it is a damaged number.
  static let longest: Int64 = 1 << 36

  /// `nil` where the schema has other tables of these names.
  init?(_ rule: DocumentRule, in catalog: Catalog) {
    func table(_ name: String) -> Int? {
      catalog.tables.firstIndex {
        $0.origin != .shape && $0.schema.name.lowercased() == name.lowercased()
      }
    }
    guard let documents = table(rule.documents), let chunks = table(rule.chunks) else { return nil }
    func place(_ name: String, _ table: Int) -> Int? {
      let table = catalog.tables[table]
      return table.schema.column(named: name).map { table.place[$0] }.flatMap { $0 < 0 ? nil : $0 }
    }
    let schema = catalog.tables[chunks].schema
    guard let id = place(rule.id, documents),
      let chunkDocument = place(rule.chunkDocument, chunks),
      let chunkIndex = place(rule.chunkIndex, chunks),
      let data = schema.column(named: rule.chunkData),
      let field = schema.stored.firstIndex(of: data)
    else { return nil }
    self.documents = documents
    self.id = id
    bytes = rule.bytes.flatMap { place($0, documents) }
    sha256 = rule.sha256.flatMap { place($0, documents) }
    self.chunks = chunks
    self.chunkDocument = chunkDocument
    self.chunkIndex = chunkIndex
    chunkField = field
    chunkBytes = rule.chunkBytes
    firstIndex = rule.firstIndex
  }

  /// Where in its document a chunk begins; `nil` where no document has such a chunk.
  func offset(ofChunk index: Int64) -> Int64? {
    let (number, isBelow) = index.subtractingReportingOverflow(firstIndex)
    let (offset, isBeyond) = number.multipliedReportingOverflow(by: chunkBytes)
    guard !isBelow, !isBeyond, offset >= 0, offset < Self.longest else { return nil }
    return offset
  }
}
