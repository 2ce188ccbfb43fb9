/// The order of an object's members in canonical form: by name, in UTF-16 code units
/// (RFC 8785, §3.2.3).
///
/// UTF-8 sorts the same but for U+E000…U+FFFF against what lies above: there the lead bytes
/// 0xEE and 0xEF trade places with 0xF0…0xF4, after which bytes compare as units do.
struct MemberOrder {
  private struct Entry {
    /// The first eight bytes of the name, big-endian, so adjusted.
    var prefix: UInt64
    var node: UInt32
  }

  private var entries: [Entry] = []
  private var spare: [Entry] = []
  /// A node for each rank, and which of them are of the object at hand.
  private var seats: [UInt32] = []
  private var taken: [UInt64] = []

  /// Appends the members of the object at `node` to the order, sorted; true where they stood
  /// so in the text.
  mutating func arrange(
    membersOf node: Int,
    count: Int,
    _ bytes: Span<UInt8>,
    _ nodes: Span<JSONTape.Node>,
    _ parts: inout JSONTape.Parts,
    _ rules: JSONRules
  ) throws(JSONError) -> Bool {
    let first = parts.order.count
    parts.order.append(contentsOf: repeatElement(0, count: count))
    if seats.isEmpty, !parts.names.ranks.isEmpty {
      seats = Array(repeating: 0, count: NameIndex.capacity)
      taken = Array(repeating: 0, count: NameIndex.capacity / 64)
    }
    let members = Members(object: node, count: count, first: first)
    switch Self.seat(members, nodes, parts.names.ranks, &parts.order, &seats, &taken) {
    case .inOrder: return true
    case .outOfOrder: return false
    case .unknown: break
    }
    let isSorted = try sort(node, count, first, bytes, nodes, &parts.order, rules)
    parts.names.didSort(count: count)
    return isSorted
  }

  private enum Filing { case inOrder, outOfOrder, unknown }

  private struct Members {
    var object: Int
    var count: Int
    /// Where they begin in the order.
    var first: Int
  }

  /// Gives each member the seat of its name's rank, then reads the seats off in order.
  private static func seat(
    _ members: Members,
    _ nodes: Span<JSONTape.Node>,
    _ ranks: [UInt16],
    _ order: inout [UInt32],
    _ seats: inout [UInt32],
    _ taken: inout [UInt64]
  ) -> Filing {
    let (object, count, first) = (members.object, members.count, members.first)
    let ranks = ranks.span
    var order = order.mutableSpan
    var seats = seats.mutableSpan
    var taken = taken.mutableSpan
    var isSorted = true
    var previous = -1
    var lowest = Int.max
    var highest = -1
    var member = object + 1
    var seated = 0
    while seated < count {
      let id = Int(nodes[member].nameID)
      guard id < ranks.count else { break }
      let rank = Int(ranks[id])
      let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: rank & 63)
      guard taken[rank >> 6] & bit == 0 else { break }
      taken[rank >> 6] |= bit
      seats[rank] = UInt32(truncatingIfNeeded: member)
      if rank < previous { isSorted = false }
      previous = rank
      lowest = min(lowest, rank >> 6)
      highest = max(highest, rank >> 6)
      member = Int(nodes[member].next)
      seated += 1
    }
    guard highest >= 0 else { return count == 0 ? .inOrder : .unknown }
    var place = first
    for word in lowest...highest {
      var bits = taken[word]
      taken[word] = 0
      while bits != 0 {
        order[place] = seats[word << 6 | bits.trailingZeroBitCount]
        place += 1
        bits &= bits &- 1
      }
    }
    guard seated == count else { return .unknown }
    return isSorted ? .inOrder : .outOfOrder
  }

  private mutating func sort(
    _ object: Int,
    _ count: Int,
    _ first: Int,
    _ bytes: Span<UInt8>,
    _ nodes: Span<JSONTape.Node>,
    _ order: inout [UInt32],
    _ rules: JSONRules
  ) throws(JSONError) -> Bool {
    entries.removeAll(keepingCapacity: true)
    var member = object + 1
    for _ in 0..<count {
      entries.append(
        Entry(
          prefix: Self.prefix(nodes[member], bytes),
          node: UInt32(truncatingIfNeeded: member)
        )
      )
      member = Int(nodes[member].next)
    }
    let isSorted = (1..<max(1, count)).allSatisfy {
      Self.compare(entries[$0 - 1], entries[$0], bytes, nodes) < 0
    }
    if !isSorted {
      mergeSort(bytes, nodes)
      if rules.duplicates == .refused {
        for i in 1..<count where Self.compare(entries[i - 1], entries[i], bytes, nodes) == 0 {
          throw JSONError(.doubledMember, at: Int(nodes[Int(entries[i].node)].nameStart))
        }
      }
    }
    for i in 0..<count { order[first + i] = entries[i].node }
    return isSorted
  }

  /// Bottom-up and stable: doubled names stay in the order of the text.
  private mutating func mergeSort(_ bytes: Span<UInt8>, _ nodes: Span<JSONTape.Node>) {
    var width = 1
    while width < entries.count {
      spare.removeAll(keepingCapacity: true)
      var start = 0
      while start < entries.count {
        let middle = min(start + width, entries.count)
        let stop = min(start + 2 * width, entries.count)
        var left = start
        var right = middle
        while left < middle && right < stop {
          if Self.compare(entries[right], entries[left], bytes, nodes) < 0 {
            spare.append(entries[right])
            right += 1
          } else {
            spare.append(entries[left])
            left += 1
          }
        }
        spare.append(contentsOf: entries[left..<middle])
        spare.append(contentsOf: entries[right..<stop])
        start = stop
      }
      swap(&entries, &spare)
      width *= 2
    }
  }

  private static func prefix(_ member: JSONTape.Node, _ bytes: Span<UInt8>) -> UInt64 {
    let start = Int(member.nameStart)
    let end = Int(member.nameEnd)
    guard !member.nameHasEscape else {
      let text = JSONText.unescaped(bytes, start, end)
      return prefix(text.span)
    }
    return prefix(bytes.extracting((start + 1)..<(end - 1)))
  }

  private static func prefix(_ name: Span<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    for i in 0..<8 {
      value = value << 8 | UInt64(i < name.count ? adjusted(name[i]) : 0)
    }
    return value
  }

  /// Negative, zero or positive as `a` sorts before, with or after `b`.
  @inline(__always)
  private static func compare(
    _ a: Entry,
    _ b: Entry,
    _ bytes: Span<UInt8>,
    _ nodes: Span<JSONTape.Node>
  ) -> Int {
    if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
    return compareNames(nodes[Int(a.node)], nodes[Int(b.node)], bytes)
  }

  private static func compareNames(
    _ a: JSONTape.Node,
    _ b: JSONTape.Node,
    _ bytes: Span<UInt8>
  ) -> Int {
    if a.nameHasEscape || b.nameHasEscape {
      let left = JSONText.unescaped(bytes, Int(a.nameStart), Int(a.nameEnd))
      let right = JSONText.unescaped(bytes, Int(b.nameStart), Int(b.nameEnd))
      return compare(left.span, right.span)
    }
    return compare(
      bytes.extracting((Int(a.nameStart) + 1)..<(Int(a.nameEnd) - 1)),
      bytes.extracting((Int(b.nameStart) + 1)..<(Int(b.nameEnd) - 1))
    )
  }

  static func compare(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int {
    for i in 0..<min(a.count, b.count) where a[i] != b[i] {
      return adjusted(a[i]) < adjusted(b[i]) ? -1 : 1
    }
    return a.count - b.count
  }

  private static func adjusted(_ byte: UInt8) -> UInt8 {
    guard byte >= 0xEE else { return byte }
    return byte >= 0xF0 ? byte - 2 : byte + 5
  }
}
