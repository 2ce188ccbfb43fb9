/// A set of 64-bit hashes at eight bytes a slot, for rows by the million.
struct HashSet64: Sendable {
  private var slots: [UInt64] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  func contains(_ hash: UInt64) -> Bool {
    guard !slots.isEmpty else { return false }
    let hash = hash == 0 ? 1 : hash
    var at = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[at] != 0 {
      if slots[at] == hash { return true }
      at = (at + 1) & (slots.count - 1)
    }
    return false
  }

  /// Whether the hash was not there before.
  @discardableResult
  mutating func insert(_ hash: UInt64) -> Bool {
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let hash = hash == 0 ? 1 : hash
    var at = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[at] != 0 {
      if slots[at] == hash { return false }
      at = (at + 1) & (slots.count - 1)
    }
    slots[at] = hash
    count += 1
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: max(64, old.count * 2))
    for hash in old where hash != 0 {
      var at = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[at] != 0 { at = (at + 1) & (slots.count - 1) }
      slots[at] = hash
    }
  }
}
