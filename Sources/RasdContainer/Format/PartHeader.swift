/// The 24 bytes before a part's body (the format, §Parts).
package struct PartHeader: Hashable, Sendable {
  package static let size = 24
  /// A part's body decodes to no more than this: what bounds a reader's memory.
  package static let longestBody = 16 << 20

  package var isDeflated: Bool
  package var isLast: Bool
  /// Bytes of the decoded body.
  package var decodedSize: Int
  /// Bytes of the stream before this part.
  package var offset: Int
  /// Rows of the stream before this part; zero in blobs.
  package var rowsBefore: Int

  package init(
    isDeflated: Bool = false,
    isLast: Bool,
    decodedSize: Int,
    offset: Int = 0,
    rowsBefore: Int = 0
  ) {
    self.isDeflated = isDeflated
    self.isLast = isLast
    self.decodedSize = decodedSize
    self.offset = offset
    self.rowsBefore = rowsBefore
  }

  /// Nil where the bytes are too few or a field is out of its range.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= Self.size, bytes[0] <= 1, bytes[1] <= 1, bytes[2] == 0, bytes[3] == 0
    else { return nil }
    func field(_ range: Range<Int>) -> UInt64 {
      var value: UInt64 = 0
      for i in range { value = value << 8 | UInt64(bytes[i]) }
      return value
    }
    guard let size = Int(exactly: field(4..<8)), size <= Self.longestBody,
      let offset = Int(exactly: field(8..<16)), let rowsBefore = Int(exactly: field(16..<24)),
      // So that no sum of an offset and a length can overflow.
      offset <= Self.longestStream, rowsBefore <= Self.longestStream
    else { return nil }
    isDeflated = bytes[0] == 1
    isLast = bytes[1] == 1
    decodedSize = size
    self.offset = offset
    self.rowsBefore = rowsBefore
  }

  /// More than any file system holds.
  private static let longestStream = 1 << 60

  var end: Int { offset + decodedSize }

  func write(to bytes: inout [UInt8]) {
    bytes += [isDeflated ? 1 : 0, isLast ? 1 : 0, 0, 0]
    func append(_ value: UInt64, _ count: Int) {
      for i in stride(from: count - 1, through: 0, by: -1) {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(i * 8)))
      }
    }
    append(UInt64(decodedSize), 4)
    append(UInt64(offset), 8)
    append(UInt64(rowsBefore), 8)
  }
}
