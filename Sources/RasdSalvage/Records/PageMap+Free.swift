extension PageMap {
  /// Sets the fates that follow from a page's number alone.
  mutating func markFixed(_ source: PageSource) {
    if source.lockBytePage <= count { fates[Int(source.lockBytePage)] = .lockByte }
    guard source.header?.autoVacuum ?? looksLikePointerMap(source) else { return }
    for page in PointerMap.pages(usable: source.usableSize, lockByte: source.lockBytePage, count) {
      fates[Int(page)] = .pointerMap
    }
  }

  /// Whether page 2 is a pointer map, where no header says whether there is one.
  private func looksLikePointerMap(_ source: PageSource) -> Bool {
    guard count > 3, let page = source.current(2) else { return false }
    let bytes = page.bytes.span
    let entries = min(Int(count) - 2, source.usableSize / 5)
    for i in 0..<entries {
      let type = bytes[5 * i]
      let parent = bytes.u32(5 * i + 1)
      guard type >= 1, type <= 5, (type <= 2) == (parent == 0), parent <= count else {
        return false
      }
    }
    return true
  }

  /// Follows the freelist from its first trunk.
  mutating func claimFreelist(first: UInt32) {
    var trunk = first
    while trunk > 1, trunk <= count, fates[Int(trunk)] == .unknown, !shapes[Int(trunk)].isBTree {
      fates[Int(trunk)] = .freelistTrunk
      for leaf in trunks[trunk] ?? [] where fates[Int(leaf)] == .unknown {
        fates[Int(leaf)] = .freelistLeaf
      }
      trunk = links[Int(trunk)]
    }
  }

  /// Takes pages that can only be trunks for such, where no header says where the freelist
  /// begins.
  ///
  /// A trunk names pages that nobody else has, each once, and no page is named by two.
  mutating func findFreelist() {
    for trunk in trunks.keys.sorted() {
      guard let leaves = trunks[trunk], !leaves.isEmpty, fates[Int(trunk)] == .unknown,
        Set(leaves).count == leaves.count,
        leaves.allSatisfy({ fates[Int($0)] == .unknown }),
        links[Int(trunk)] == 0 || trunks[links[Int(trunk)]] != nil
      else { continue }
      fates[Int(trunk)] = .freelistTrunk
      for leaf in leaves { fates[Int(leaf)] = .freelistLeaf }
    }
  }

  /// How many links of a deleted cell's chain are still there, and whether that is all of it.
  ///
  /// No link may belong to a live row, and the last must say that it is.
  func freeChain(from first: UInt32, needed: Int) -> (links: Int, isWhole: Bool) {
    var page = first
    var links = 0
    while links < needed, page > 1, page <= count, shapes[Int(page)] == .other,
      fates[Int(page)] == .unknown || fates[Int(page)] == .freelistLeaf
    {
      links += 1
      page = self.links[Int(page)]
    }
    return (links, links == needed && page == 0)
  }

  /// Gives what is left over its fate.
  mutating func finish() {
    for page in fates.indices.dropFirst() where fates[page] == .unknown {
      if shapes[page] == .absent { fates[page] = .absent }
      if shapes[page] == .zero { fates[page] = .zero }
    }
  }
}

/// Where pointer maps lie (file format, §1.8).
enum PointerMap {
  /// The pages that are pointer maps: page 2 and each that follows what the one before maps.
  static func pages(usable: Int, lockByte: UInt32, _ count: UInt32) -> [UInt32] {
    let group = UInt32(usable / 5 + 1)
    var pages: [UInt32] = []
    var page: UInt32 = 2
    while page <= count {
      pages.append(page == lockByte ? page + 1 : page)
      let (next, overflows) = page.addingReportingOverflow(group)
      if overflows { break }
      page = next
    }
    return pages.filter { $0 <= count }
  }

  /// The parent of a page, where its map says that it is a b-tree page below another.
  static func parent(of page: UInt32, _ map: PageMap, _ source: PageSource) -> UInt32? {
    let group = UInt32(source.usableSize / 5 + 1)
    guard page > 2 else { return nil }
    let base = (page - 2) / group * group + 2
    let number = base == source.lockBytePage ? base + 1 : base
    guard page > number, map.fate(number) == .pointerMap, let bytes = source.current(number)
    else { return nil }
    let at = 5 * Int(page - number - 1)
    guard at + 5 <= source.usableSize, bytes.bytes[at] == 5 else { return nil }
    let parent = bytes.bytes.span.u32(at + 1)
    return parent >= 1 && parent <= map.count ? parent : nil
  }
}
