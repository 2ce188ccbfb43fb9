/// Member names met before, each with its rank among them in canonical order.
///
/// The rows of a table share their names, so nearly every object is put in order by rank,
/// without comparing names; those with a name not yet ranked are sorted, and when that has
/// cost enough all names are ranked anew. Wrong guesses cost time, never order.
struct NameIndex {
  /// The id of a name that is not kept here.
  static let none = UInt16.max
  /// Far more than the names of all forms a device holds; ids and ranks fit 16 bits.
  static let capacity = 4096

  private struct Name {
    /// The first eight bytes and, past eight, the last eight.
    var first: UInt64
    var last: UInt64
    var length: Int
    /// Where the whole name stands in `texts`.
    var text: Int
  }

  /// Longer names are sorted each time: they are not those of questions.
  private static let longest = 256
  /// Names whose hash is crowded are not kept, so chosen names can't make finding slow.
  private static let probes = 8

  /// A table of ids by hash, so sparse that nearly each is found at the first look.
  private var slots = [UInt16](repeating: Self.none, count: 64)
  private var known: [Name] = []
  private var texts: [UInt8] = []
  /// By id, for the first of them; the rest came after the last ranking.
  private(set) var ranks: [UInt16] = []
  /// How many members had to be sorted since.
  private var sorted = 0

  /// The id of the name in `start..<end`, which holds no escape.
  @inline(__always)
  mutating func find(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt16 {
    let length = end - start
    let first = NameIndex.word(bytes, start, min(length, 8))
    let last = length > 8 ? NameIndex.word(bytes, end - 8, 8) : 0
    let mask = slots.count - 1
    var slot = Self.hash(first, last, length) & mask
    for _ in 0..<Self.probes {
      let id = slots[slot]
      guard id != Self.none else { break }
      let name = known[Int(id)]
      if name.first == first, name.last == last, name.length == length,
        length <= 16 || isText(name, bytes, start)
      {
        return id
      }
      slot = (slot + 1) & mask
    }
    return add(
      Name(first: first, last: last, length: length, text: texts.count),
      bytes,
      start,
      slot
    )
  }

  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
    if start + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
      )
      return count == 8 ? word : word & ((1 << UInt64(truncatingIfNeeded: count * 8)) &- 1)
    }
    var word: UInt64 = 0
    for i in 0..<count { word |= UInt64(bytes[start + i]) << UInt64(truncatingIfNeeded: i * 8) }
    return word
  }

  @inline(__always)
  private static func hash(_ first: UInt64, _ last: UInt64, _ length: Int) -> Int {
    let product = (first ^ last &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: length))
      .multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }

  private func isText(_ name: Name, _ bytes: Span<UInt8>, _ start: Int) -> Bool {
    for i in 8..<(name.length - 8) where texts[name.text + i] != bytes[start + i] { return false }
    return true
  }

  private mutating func add(
    _ name: Name,
    _ bytes: Span<UInt8>,
    _ start: Int,
    _ slot: Int
  ) -> UInt16 {
    guard name.length <= Self.longest, known.count < Self.capacity, slots[slot] == Self.none else {
      return Self.none
    }
    let id = UInt16(truncatingIfNeeded: known.count)
    slots[slot] = id
    known.append(name)
    for i in start..<(start + name.length) { texts.append(bytes[i]) }
    if known.count * 8 > slots.count { grow() }
    return id
  }

  private func compare(_ a: Int, _ b: Int) -> Int {
    MemberOrder.compare(
      texts.span.extracting(known[a].text..<(known[a].text + known[a].length)),
      texts.span.extracting(known[b].text..<(known[b].text + known[b].length))
    )
  }

  /// Doubles the table; a name that finds no room near its hash is met as new again.
  private mutating func grow() {
    let mask = slots.count * 2 - 1
    slots = Array(repeating: Self.none, count: mask + 1)
    for (id, name) in known.enumerated() {
      var slot = Self.hash(name.first, name.last, name.length) & mask
      for _ in 0..<Self.probes {
        guard slots[slot] != Self.none else {
          slots[slot] = UInt16(truncatingIfNeeded: id)
          break
        }
        slot = (slot + 1) & mask
      }
    }
  }

  /// To be called between texts: forgets names that have stopped being of use.
  mutating func beginText() {
    guard sorted > Self.capacity * 16 else { return }
    self = NameIndex()
  }

  /// Counts an object whose members had to be sorted, and ranks the names once that has
  /// been more work than ranking them is.
  mutating func didSort(count: Int) {
    sorted += count
    guard known.count > ranks.count, sorted >= known.count * 4 else { return }
    sorted = 0
    let ids = known.indices.sorted { compare($0, $1) < 0 }
    ranks = Array(repeating: 0, count: known.count)
    // A name that is kept twice, having found no room near its hash, has one rank.
    var rank: UInt16 = 0
    for (i, id) in ids.enumerated() {
      if i > 0, compare(ids[i - 1], id) != 0 { rank += 1 }
      ranks[id] = rank
    }
  }
}
