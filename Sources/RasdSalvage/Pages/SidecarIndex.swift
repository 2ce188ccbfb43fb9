/// Where the versions of each page lie in one sidecar, by page number.
struct SidecarIndex: Sendable {
  /// Page number and position, packed, in order.
  private let entries: [UInt64]

  init(_ numbers: some Sequence<UInt32>) {
    entries = numbers.enumerated().map { UInt64($0.element) << 32 | UInt64($0.offset) }.sorted()
  }

  /// The first position of a page.
  func first(of number: UInt32) -> Int? {
    let at = position(UInt64(number) << 32)
    guard at < entries.count, entries[at] >> 32 == UInt64(number) else { return nil }
    return Int(entries[at] & 0xFFFF_FFFF)
  }

  /// The last position of a page that is not past `limit`.
  func last(of number: UInt32, upTo limit: Int) -> Int? {
    let at = position(UInt64(number) << 32 | UInt64(limit + 1)) - 1
    guard at >= 0, entries[at] >> 32 == UInt64(number) else { return nil }
    return Int(entries[at] & 0xFFFF_FFFF)
  }

  /// How many entries are less than `entry`.
  private func position(_ entry: UInt64) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
