/// One value of a record: its serial type and where its bytes lie.
struct RecordField: Hashable, Sendable {
  var type: UInt64
  /// Offset from the first byte of the payload.
  var offset: Int
  var length: Int

  var end: Int { offset + length }
}

/// Reads record headers (file format, §2.1).
enum RecordHeader {
  /// How a header fits its payload.
  enum Fit: Hashable, Sendable {
    /// Header and values fill the payload exactly, as SQLite insists.
    case exact
    /// The values end before or after the payload does.
    case inexact
    /// No header: it runs past the payload, or names a reserved type.
    case none
  }

  /// Puts a record's fields into `fields`, replacing what is there.
  ///
  /// `payload` is as much of it as there is, with the header; `size` is what the whole has.
  static func read(
    _ payload: Span<UInt8>,
    size: Int,
    into fields: inout [RecordField]
  ) -> Fit {
    fields.removeAll(keepingCapacity: true)
    guard let length = Varint.read(payload, at: 0, end: payload.count),
      length.value <= UInt64(min(size, payload.count)), Int(length.value) >= length.next
    else { return .none }
    let end = Int(length.value)
    var at = length.next
    var offset = end
    while at < end {
      guard let type = Varint.read(payload, at: at, end: end),
        let count = SerialType.length(type.value),
        fields.count < SerialType.maximumColumns
      else { return .none }
      fields.append(RecordField(type: type.value, offset: offset, length: count))
      offset += count
      at = type.next
    }
    return offset == size ? .exact : .inexact
  }
}
