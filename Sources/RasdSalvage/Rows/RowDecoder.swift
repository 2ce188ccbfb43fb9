/// Turns a payload in the arena into the values of a table's columns.
struct RowDecoder {
  let encoding: DatabaseEncoding
  /// Those of the record that was read last.
  private(set) var fields: [RecordField] = []

  init(encoding: DatabaseEncoding) { self.encoding = encoding }

  /// Appends the values of one record, in the order of the table's columns.
  ///
  /// `payload` is where the record lies in the batch's arena, perhaps cut short; `size` is what
  /// the whole has. Gives what is to be said of the row, `nil` where there is no header at all.
  mutating func append(
    _ payload: ByteRange,
    size: Int,
    rowid: Int64?,
    of table: SalvageTable,
    to batch: inout RowBatch
  ) -> RowNotesSet? {
    let fit = RecordHeader.read(
      batch.bytes.span.extracting(payload.range),
      size: size,
      into: &fields
    )
    guard fit != .none, !fields.isEmpty else { return nil }
    var notes: RowNotesSet = fit == .exact ? [] : .recordInexact
    let first = batch.values.count
    let schema = table.schema
    batch.values.append(contentsOf: repeatElement(.absent, count: table.columns.count))
    for (i, column) in schema.stored.enumerated() {
      let place = table.place[column]
      guard place >= 0 else { continue }
      let value: SalvagedValue
      if column == schema.rowidColumn {
        value = rowid.map { .integer($0) } ?? .absent
      } else if i < fields.count {
        value = self.value(
          fields[i],
          payload,
          isReal: schema.columns[column].affinity == .real,
          &batch.bytes,
          &notes
        )
      } else {
        value = Self.value(schema.columns[column].defaultValue, &batch.bytes)
      }
      batch.values[first + place] = value
    }
    return notes
  }

  /// Whether the record that was read last is one that a table of this shape can hold: what its
  /// schema says of every column, and what its key looks like.
  func isInDomain(_ shape: RowShape, key: [Int], _ payload: Span<UInt8>) -> Bool {
    guard shape.score(fields, payload) != nil else { return false }
    return key.allSatisfy { place in
      guard place < fields.count, fields[place].end <= payload.count,
        shape.fields[place].pattern?.isFirm == true
      else { return true }
      return RowShape.points(shape.fields[place], fields[place], payload, encoding) ?? -1 >= 0
    }
  }

  /// The hash of the key of the record that was read last, for the table's witness.
  func key(of table: Int, at places: [Int], _ payload: Span<UInt8>) -> UInt64? {
    KeyWitness.key(of: table, fields, at: places, payload)
  }

  /// The same of a record that is only looked at.
  mutating func key(
    of table: Int,
    at places: [Int],
    _ payload: Span<UInt8>,
    size: Int
  ) -> UInt64? {
    guard RecordHeader.read(payload, size: size, into: &fields) != .none else { return nil }
    return KeyWitness.key(of: table, fields, at: places, payload)
  }

  private func value(
    _ field: RecordField,
    _ payload: ByteRange,
    isReal: Bool,
    _ arena: inout [UInt8],
    _ notes: inout RowNotesSet
  ) -> SalvagedValue {
    guard field.end <= payload.count else {
      notes.insert(.chainBroken)
      return .absent
    }
    let start = payload.start + field.offset
    switch field.type {
    case 0: return .null
    case 7:
      var bits: UInt64 = 0
      for i in 0..<8 { bits = bits << 8 | UInt64(arena[start + i]) }
      return .real(Double(bitPattern: bits))
    case 1...6, 8, 9:
      let integer =
        field.type >= 8
        ? Int64(field.type - 8)
        : SerialType.integer(arena.span, at: start, length: field.length)
      // A REAL column keeps whole numbers as integers to save space.
      return isReal ? .real(Double(integer)) : .integer(integer)
    default: break
    }
    let range = ByteRange(start: start, count: field.length)
    if SerialType.isBlob(field.type) { return .blob(range) }
    if encoding == .utf8 {
      if JSONBText.isUTF8(arena.span.extracting(range.range)) { return .text(range) }
    } else if let text = TextDecoding.appendUTF16(
      range.range,
      littleEndian: encoding == .utf16LittleEndian,
      in: &arena
    ) {
      return .text(text)
    }
    notes.insert(.textBroken)
    return .brokenText(range)
  }

  private static func value(_ value: SQLValue, _ arena: inout [UInt8]) -> SalvagedValue {
    switch value {
    case .null: return .null
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .text(let text):
      let start = arena.count
      arena.append(contentsOf: text.utf8)
      return .text(ByteRange(start: start, count: arena.count - start))
    case .blob(let bytes):
      let start = arena.count
      arena.append(contentsOf: bytes)
      return .blob(ByteRange(start: start, count: bytes.count))
    }
  }
}
