/// The cumulative checksum of a write-ahead log (SQLite file format, §4.2; `walChecksumBytes`).
struct WALChecksum: Hashable, Sendable {
  var s0: UInt32 = 0
  var s1: UInt32 = 0

  /// Whether words are read big-endian, as the WAL's magic number says.
  enum Order: Hashable, Sendable, CaseIterable { case little, big }

  /// Takes in bytes, whose number is a multiple of 8.
  mutating func add(_ bytes: Span<UInt8>, _ order: Order) {
    let words = unsafe bytes.bytes
    var a = s0
    var b = s1
    var at = 0
    while at + 8 <= words.byteCount {
      // In bounds by the loop's condition; a frame is thousands of words.
      let x = unsafe words.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt32.self)
      let y = unsafe words.unsafeLoadUnaligned(fromUncheckedByteOffset: at + 4, as: UInt32.self)
      a = a &+ (order == .little ? UInt32(littleEndian: x) : UInt32(bigEndian: x)) &+ b
      b = b &+ (order == .little ? UInt32(littleEndian: y) : UInt32(bigEndian: y)) &+ a
      at += 8
    }
    s0 = a
    s1 = b
  }
}
