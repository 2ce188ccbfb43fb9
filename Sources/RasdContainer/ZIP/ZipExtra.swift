/// The two extra fields that count; any other may hold anything (APPNOTE §4.5).
struct ZipExtra {
  /// Where the ZIP64 field's values lie in the extra field, nil where there is none.
  private var large: Range<Int>?

  private static let largeID = 0x0001
  private static let unicodePathID = 0x7075

  init(_ extra: Span<UInt8>, name: Span<UInt8>) throws(ZipFlaw) {
    var at = 0
    // Writers pad with up to three bytes that are no field.
    while extra.count - at >= 4 {
      let (id, length) = (extra.u16(at), extra.u16(at + 2))
      let values = (at + 4)..<(at + 4 + length)
      guard values.upperBound <= extra.count else { throw .extraField }
      switch id {
      case Self.largeID:
        guard large == nil else { throw .extraField }
        large = values
      case Self.unicodePathID:
        // A version byte and a CRC-32, then a name that some readers prefer to the header's.
        guard length >= 5, extra.extracting(values).extracting(droppingFirst: 5).equals(name)
        else { throw .unicodePath }
      default: break
      }
      at = values.upperBound
    }
  }

  var isLarge: Bool { large != nil }

  /// Sizes (and an offset) with those that are too large for their field taken from the ZIP64
  /// field, where the values of exactly those stand in this order.
  func resolve(
    _ extra: Span<UInt8>,
    _ fields: inout [Int],
    bothSizes: Bool
  ) throws(ZipFlaw) {
    guard fields.contains(ZipRecord.elsewhere32) else { return }
    guard let large else { throw .extraField }
    var at = large.lowerBound
    for i in fields.indices {
      let isElsewhere = fields[i] == ZipRecord.elsewhere32
      // A local header's field holds both sizes even where one would fit.
      guard isElsewhere || (bothSizes && large.count >= 16) else { continue }
      guard at + 8 <= large.upperBound, let value = extra.int64(at) else { throw .extraField }
      if isElsewhere { fields[i] = value }
      at += 8
    }
  }
}

extension Span<UInt8> {
  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for i in indices where self[i] != other[i] { return false }
    return true
  }
}
