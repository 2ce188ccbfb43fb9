import RasdModel

/// SplitMix64: what is made is a function of its seed, on every machine.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % limit }

  mutating func one<Item>(of items: [Item]) -> Item { items[below(items.count)] }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var made: [UInt8] = []
    made.reserveCapacity(count + 7)
    while made.count < count {
      let word = next()
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        made.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    made.removeLast(made.count - count)
    return made
  }

  /// 26 characters of Crockford's base 32: ten of the time, sixteen by chance.
  mutating func ulid(at milliseconds: UInt64) -> String {
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    var text = ""
    for place in (0..<10).reversed() {
      text.append(digits[Int(milliseconds >> (5 * UInt64(place)) & 31)])
    }
    for _ in 0..<16 { text.append(one(of: digits)) }
    return text
  }

  mutating func uuid(at milliseconds: UInt64) -> String {
    UUIDText.version7(milliseconds: milliseconds, random: bytes(10))
  }
}
