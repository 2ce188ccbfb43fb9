/// The order of an object's members in canonical form: by name, in UTF-16 code units
/// (RFC 8785, §3.2.3).
///
/// UTF-8 sorts the same but for U+E000…U+FFFF against what lies above: there the lead bytes
/// 0xEE and 0xEF trade places with 0xF0…0xF4, after which bytes compare as units do.
struct MemberSort {
  struct Entry {
    /// The first eight bytes of the name, big-endian, so adjusted.
    var prefix: UInt64
    var node: UInt32
  }

  private var spare: [Entry] = []

  init() {}

  @inline(__always)
  static func adjusted(_ byte: UInt8) -> UInt8 {
    guard byte >= 0xEE else { return byte }
    return byte >= 0xF0 ? byte - 2 : byte + 5
  }

  static func prefix(_ bytes: Span<UInt8>, _ name: JSONScan.Text) -> UInt64 {
    guard !name.hasEscape else {
      let text = JSONText.unescaped(bytes, name.start, name.end)
      return prefix(text.span, from: 0, to: text.count)
    }
    return prefix(bytes, from: name.start + 1, to: name.end - 1)
  }

  private static func prefix(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt64 {
    let count = min(8, end - start)
    guard count > 0 else { return 0 }
    if start + 8 <= bytes.count {
      let word = UInt64(
        bigEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
      )
      let kept = word & ~UInt64(0) << UInt64(64 - 8 * count)
      if kept & 0x8080_8080_8080_8080 == 0 { return kept }
    }
    var value: UInt64 = 0
    for i in start..<(start + count) { value = value << 8 | UInt64(adjusted(bytes[i])) }
    return value << UInt64(64 - 8 * count)
  }

  /// Sorts `entries[first...]` by `isLess`; stable.
  mutating func sort(
    _ entries: inout [Entry],
    from first: Int,
    isLess: (Entry, Entry) -> Bool
  ) {
    let end = entries.count
    var width = 1
    while width < end - first {
      spare.removeAll(keepingCapacity: true)
      var start = first
      while start < end {
        let middle = min(start + width, end)
        let stop = min(start + 2 * width, end)
        var left = start
        var right = middle
        while left < middle && right < stop {
          if isLess(entries[right], entries[left]) {
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
      entries.replaceSubrange(first..<end, with: spare)
      width *= 2
    }
  }
}

extension JSONTape {
  /// Moves the members `pending[first...]` to `order`, sorted; whether they were.
  mutating func sortMembers(
    from first: Int,
    _ bytes: Span<UInt8>,
    _ rules: JSONRules
  ) throws(JSONError) -> Bool {
    defer { pending.removeSubrange(first...) }
    var isSorted = true
    for i in pending.indices.dropFirst(first + 1) where isSorted {
      isSorted = compare(pending[i - 1], pending[i], bytes) < 0
    }
    if !isSorted {
      // Both lists are moved out, so that the comparison may read the tape meanwhile.
      var entries = Self.take(&pending)
      var sorter = Self.take(&sorter)
      sorter.sort(&entries, from: first) { compare($0, $1, bytes) < 0 }
      pending = entries
      self.sorter = sorter
      if rules.duplicates == .refused {
        for i in pending.indices.dropFirst(first + 1)
        where compare(pending[i - 1], pending[i], bytes) == 0 {
          let second = nodes[Int(pending[i].node)]
          throw JSONError(.doubledMember, at: Int(second.nameStart))
        }
      }
    }
    for entry in pending[first...] { order.append(entry.node) }
    return isSorted
  }

  /// Negative, zero or positive as `a` sorts before, with or after `b`.
  private func compare(_ a: MemberSort.Entry, _ b: MemberSort.Entry, _ bytes: Span<UInt8>) -> Int {
    if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
    let x = nodes[Int(a.node)]
    let y = nodes[Int(b.node)]
    if x.nameHasEscape || y.nameHasEscape {
      let left = JSONText.unescaped(bytes, Int(x.nameStart), Int(x.nameEnd))
      let right = JSONText.unescaped(bytes, Int(y.nameStart), Int(y.nameEnd))
      return Self.compare(left.span, right.span)
    }
    return Self.compare(
      bytes.extracting((Int(x.nameStart) + 1)..<(Int(x.nameEnd) - 1)),
      bytes.extracting((Int(y.nameStart) + 1)..<(Int(y.nameEnd) - 1))
    )
  }

  private static func take(_ list: inout [MemberSort.Entry]) -> [MemberSort.Entry] {
    let taken = list
    list = []
    return taken
  }

  private static func take(_ sorter: inout MemberSort) -> MemberSort {
    let taken = sorter
    sorter = MemberSort()
    return taken
  }

  private static func compare(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int {
    for i in 0..<min(a.count, b.count) where a[i] != b[i] {
      return MemberSort.adjusted(a[i]) < MemberSort.adjusted(b[i]) ? -1 : 1
    }
    return a.count - b.count
  }
}
