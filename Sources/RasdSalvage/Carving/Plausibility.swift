/// Whether a carved record could have been written by SQLite into a table of this shape.
///
/// What a live cell may hold and a carved one may not: precision matters as much as yield.
enum Plausibility {
  /// Checks every value that is at hand.
  static func holds(
    _ fields: [RecordField],
    _ payload: Span<UInt8>,
    _ shape: RowShape,
    isRebuilt: Bool
  ) -> Bool {
    guard fields.count == shape.fields.count, let score = shape.score(fields, payload), score > 0
    else { return false }
    for (field, value) in zip(shape.fields, fields) {
      if isRebuilt, !field.affinity.expects(value.type) { return false }
      guard value.end <= payload.count else { continue }
      let bytes = payload.extracting(value.offset..<value.end)
      guard isWritten(value.type, bytes, shape.encoding, isReal: field.isReal) else { return false }
      if let pattern = field.pattern, isRebuilt || pattern.isFirm,
        let points = RowShape.points(field, value, payload, shape.encoding), value.type != 0,
        points < 0
      {
        return false
      }
    }
    return true
  }

  /// The same where nothing is known of the table.
  static func holds(
    _ fields: [RecordField],
    _ payload: Span<UInt8>,
    _ encoding: DatabaseEncoding
  ) -> Bool {
    guard fields.count >= 2, payload.count >= 8 else { return false }
    var said = 0
    for value in fields where value.end <= payload.count {
      let bytes = payload.extracting(value.offset..<value.end)
      guard isWritten(value.type, bytes, encoding, isReal: false) else { return false }
      if SerialType.isText(value.type) { said += value.length }
      if SerialType.isInteger(value.type) || value.type == 7 { said += value.length }
    }
    return said >= 4
  }

  /// A REAL column keeps whole numbers below this as integers (`sqlite3VdbeSerialType`).
  private static let wholeReals: UInt64 = 1 << 47

  /// Whether SQLite writes such a value with such a type.
  private static func isWritten(
    _ type: UInt64,
    _ bytes: Span<UInt8>,
    _ encoding: DatabaseEncoding,
    isReal: Bool
  ) -> Bool {
    switch type {
    case 1...6:
      let integer = SerialType.integer(bytes, at: 0, length: bytes.count)
      return SerialType.isShortest(type, integer)
        && (!isReal || integer.magnitude < wholeReals)
    case 7:
      var bits: UInt64 = 0
      for i in 0..<8 { bits = bits << 8 | UInt64(bytes[i]) }
      let real = Double(bitPattern: bits)
      // NaN is stored as NULL.
      if real.isNaN { return false }
      return
        !(isReal && real.magnitude < Double(wholeReals) && real == real.rounded(.towardZero)
        && !(real == 0 && real.sign == .minus))
    default:
      return !SerialType.isText(type) || TextDecoding.isText(bytes, encoding)
    }
  }
}
