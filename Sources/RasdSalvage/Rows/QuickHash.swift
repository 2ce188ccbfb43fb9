/// A fast 64-bit hash of bytes, for telling copies apart within a run; no defence against
/// bytes that were made to collide is needed, since both sides come from one file and a
/// collision can only hide one of them among the leftover copies it would be counted with.
struct QuickHash {
  private var state: UInt64

  init(seed: UInt64 = 0) { state = seed ^ 0x9E37_79B9_7F4A_7C15 }

  @inline(__always)
  mutating func mix(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = product.high ^ product.low &+ 0xA076_1D64_78BD_642F
  }

  mutating func mix(_ bytes: Span<UInt8>) {
    let raw = unsafe bytes.bytes
    var at = 0
    while at + 8 <= bytes.count {
      // In bounds by the condition above; every bit pattern is a UInt64.
      let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
      mix(word)
      at += 8
    }
    var tail: UInt64 = 0
    while at < bytes.count {
      tail = tail << 8 | UInt64(bytes[at])
      at += 1
    }
    mix(tail)
    mix(UInt64(bytes.count))
  }

  var value: UInt64 {
    var copy = self
    copy.mix(0x2545_F491_4F6C_DD1D)
    return copy.state
  }

  static func of(_ bytes: Span<UInt8>) -> UInt64 {
    var hash = QuickHash()
    hash.mix(bytes)
    return hash.value
  }
}
