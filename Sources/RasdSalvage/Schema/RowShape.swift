/// What the stored fields of a table's or an index's records may hold, by which a record
/// without an owner is told.
struct RowShape: Hashable, Sendable {
  struct Field: Hashable, Sendable {
    var affinity: Affinity
    var isNotNull = false
    /// The rowid's column, which a record always stores as NULL.
    var isRowid = false
    /// Whether a record that ends before this field is still whole.
    var mayLack = true
    /// Texts of a `CHECK … IN`, as they are stored.
    var allowed: [[UInt8]] = []
    var pattern: ValuePattern?
    /// What the table's rows have here, where they have been asked.
    var seen: SeenTypes?
    /// REAL columns store whole numbers as integers.
    var isReal: Bool { affinity == .real }
  }

  var fields: [Field]
  let encoding: DatabaseEncoding
  /// Whether records come from index pages: `WITHOUT ROWID` tables and indexes.
  var isIndex: Bool

  init(_ table: TableSchema, encoding: DatabaseEncoding) {
    self.encoding = encoding
    isIndex = table.isWithoutRowid
    fields = table.stored.map { index in
      Self.field(table.columns[index], isRowid: index == table.rowidColumn, encoding)
    }
  }

  /// How many fields say something of what they may hold; a shape of few fits almost anything.
  var strength: Int {
    fields.count {
      !$0.isRowid && ($0.affinity != .blob || $0.pattern != nil || !$0.allowed.isEmpty)
    }
  }

  /// The shape of an index's entries: its columns, then what finds the row.
  init?(_ index: IndexSchema, of table: TableSchema, encoding: DatabaseEncoding) {
    self.encoding = encoding
    isIndex = true
    fields = []
    var seen: Set<Int> = []
    for name in index.columns {
      guard let name, let column = table.column(named: name) else {
        fields.append(Field(affinity: .blob))
        continue
      }
      seen.insert(column)
      var field = Self.field(table.columns[column], isRowid: false, encoding)
      field.isRowid = false
      fields.append(field)
    }
    if table.isWithoutRowid {
      for column in table.primaryKey where !seen.contains(column) {
        fields.append(Self.field(table.columns[column], isRowid: false, encoding))
      }
    } else {
      fields.append(Field(affinity: .integer, isNotNull: true))
    }
    for i in fields.indices { fields[i].mayLack = false }
  }

  private static func field(
    _ column: ColumnSchema,
    isRowid: Bool,
    _ encoding: DatabaseEncoding
  ) -> Field {
    Field(
      affinity: column.affinity,
      isNotNull: column.isNotNull && !isRowid,
      isRowid: isRowid,
      mayLack: !column.isNotNull && !column.isPrimaryKey || column.defaultValue != .null,
      allowed: column.allowed.map { stored($0, encoding) },
      pattern: column.pattern ?? (column.isJSONChecked ? .json : nil)
    )
  }

  private static func stored(_ text: String, _ encoding: DatabaseEncoding) -> [UInt8] {
    switch encoding {
    case .utf8: Array(text.utf8)
    case .utf16LittleEndian:
      text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    case .utf16BigEndian:
      text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
  }
}

extension RowShape {
  /// How well a record fits; `nil` where it can't be one of these.
  ///
  /// Values past what is at hand of the payload are not looked at.
  func score(_ record: [RecordField], _ payload: Span<UInt8>) -> Int? {
    guard record.count <= fields.count else { return nil }
    var score = 0
    for (i, field) in fields.enumerated() {
      guard i < record.count else {
        guard field.mayLack else { return nil }
        score -= 2
        continue
      }
      guard let points = Self.points(field, record[i], payload, encoding) else { return nil }
      score += points
    }
    return score
  }

  /// Points of one value, `nil` where the field can't hold it.
  static func points(
    _ field: Field,
    _ value: RecordField,
    _ payload: Span<UInt8>,
    _ encoding: DatabaseEncoding
  ) -> Int? {
    let type = value.type
    if field.isRowid { return type == 0 ? 2 : nil }
    if type == 0 { return field.isNotNull ? nil : 0 }
    guard field.affinity.allows(type) else { return nil }
    var points = field.affinity == .blob ? 0 : field.affinity.expects(type) ? 2 : -3
    guard value.end <= payload.count else { return points }
    let bytes = payload.extracting(value.offset..<value.end)
    if !field.allowed.isEmpty {
      guard SerialType.isText(type), field.allowed.contains(where: { isEqual(bytes, $0) }) else {
        return nil
      }
      points += 8
    }
    guard let pattern = field.pattern else { return points }
    if SerialType.isInteger(type) {
      let integer =
        type >= 8 ? Int64(type - 8) : SerialType.integer(bytes, at: 0, length: value.length)
      points += pattern.matches(integer) ? 2 : -4
    } else if type == 7 {
      points -= 4
    } else if SerialType.isText(type), encoding != .utf8 {
      let narrow = narrowed(bytes, encoding)
      points += narrow.map { pattern.matches($0.span) } ?? false ? 4 : -4
    } else {
      points += pattern.matches(bytes) ? 4 : -4
    }
    return points
  }

  private static func isEqual(_ bytes: Span<UInt8>, _ text: [UInt8]) -> Bool {
    bytes.count == text.count && text.indices.allSatisfy { bytes[$0] == text[$0] }
  }

  /// UTF-16 text that is all ASCII, a byte a character.
  static func narrowed(
    _ bytes: Span<UInt8>,
    _ encoding: DatabaseEncoding
  ) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let low = encoding == .utf16LittleEndian ? 0 : 1
    var out: [UInt8] = []
    // Patterns look at the beginning of long texts only, and at all of short ones.
    for i in stride(from: 0, to: min(bytes.count, 512), by: 2) {
      guard bytes[i + 1 - low] == 0, bytes[i + low] < 0x80 else { return nil }
      out.append(bytes[i + low])
    }
    return out
  }
}
