/// What the entries of an index hold: by this they are told, and lead to the rows they stand for.
struct IndexEntries: Sendable {
  let shape: RowShape
  /// Index of the table in the catalog.
  let table: Int
  /// For each field of an entry but the rowid that ends it, where the record of its row holds the
  /// same value; `nil` where an entry has something else, or in another form.
  let row: [Int]?
  /// Where an entry holds the columns of the table's whole key; `nil` where it lacks one, or may
  /// leave rows out.
  let key: [Int]?
  private let endsInRowid: Bool

  init?(_ index: IndexSchema, table: Int, _ schema: TableSchema, encoding: DatabaseEncoding) {
    guard let shape = RowShape(index, of: schema, encoding: encoding) else { return nil }
    self.shape = shape
    self.table = table
    endsInRowid = !schema.isWithoutRowid
    row = Self.row(index, schema)
    key = index.isPartial ? nil : index.keyFields(of: schema)
  }

  private static func row(_ index: IndexSchema, _ schema: TableSchema) -> [Int]? {
    var columns: [Int] = []
    for name in index.columns {
      guard let name, let column = schema.column(named: name) else { return nil }
      columns.append(column)
    }
    if schema.isWithoutRowid {
      for column in schema.primaryKey where !columns.contains(column) { columns.append(column) }
    }
    var places: [Int] = []
    for column in columns {
      // A table keeps whole REALs as integers, and its rowid not at all.
      guard schema.columns[column].affinity != .real, column != schema.rowidColumn,
        let place = schema.stored.firstIndex(of: column)
      else { return nil }
      places.append(place)
    }
    return places
  }

  /// A hash of an entry, the same for the entry and for the row that it stands for; `nil` where a
  /// value is not at hand.
  func hash(ofEntry fields: [RecordField], _ payload: Span<UInt8>, _ number: Int) -> UInt64? {
    guard let row, let last = fields.last, last.end <= payload.count else { return nil }
    let rowid = SerialType.integer(last, payload)
    return hash(fields, at: Array(row.indices), payload, rowid, number)
  }

  func hash(
    ofRow fields: [RecordField],
    _ payload: Span<UInt8>,
    rowid: Int64,
    _ number: Int
  ) -> UInt64? {
    row.flatMap { hash(fields, at: $0, payload, rowid, number) }
  }

  private func hash(
    _ fields: [RecordField],
    at places: [Int],
    _ payload: Span<UInt8>,
    _ rowid: Int64,
    _ number: Int
  ) -> UInt64? {
    var hash = QuickHash(seed: UInt64(number) << 8 | 5)
    for place in places {
      guard place < fields.count, fields[place].end <= payload.count else { return nil }
      hash.mix(fields[place].type)
      hash.mix(payload.extracting(fields[place].offset..<fields[place].end))
    }
    if endsInRowid { hash.mix(UInt64(bitPattern: rowid)) }
    return hash.value
  }
}
