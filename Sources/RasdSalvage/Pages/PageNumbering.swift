/// Which page of a file is page 1, told from the pages' pointers to each other.
enum PageNumbering {
  /// Pages sampled for child pointers, and the most pointers looked at.
  private static let sampledPages = 256
  private static let pointerLimit = 48
  /// Whole pages of shift that are tried in either direction.
  private static let reach = 256

  /// The start of page 1 for pages aligned at `layout.start` modulo the page size.
  ///
  /// For each candidate the children of interior pages are looked up: under the right one they are
  /// b-tree pages of their parent's kind. Without interior pages the first boundary is page 1.
  /// `decode` gives the bytes of a stored page that is not page 1.
  static func start(
    _ store: ByteStore,
    _ layout: PageLayout,
    decode: (Span<UInt8>) -> [UInt8]
  ) -> Int64 {
    let size = Int64(layout.pageSize)
    let residue = ((layout.start % size) + size) % size
    let held = Int((store.size - residue) / size)
    func bytes(_ index: Int) -> [UInt8]? {
      guard index >= 0, index < held else { return nil }
      let stored = store.bytes(at: residue + Int64(index) * size, count: layout.pageSize)
      return stored.count == layout.pageSize ? decode(stored.span) : nil
    }
    var pointers: [(child: UInt32, kind: UInt8)] = []
    let step = max(1, held / sampledPages)
    for index in stride(from: 0, to: held, by: step) where pointers.count < pointerLimit {
      guard let page = bytes(index),
        let tree = PageStructure.btree(page.span, page: 0, header: 0, usable: layout.usable),
        !tree.isLeaf
      else { continue }
      let span = page.span
      pointers.append((span.u32(8), tree.kind))
      for cell in 0..<tree.cells { pointers.append((span.u32(span.u16(12 + 2 * cell)), tree.kind)) }
    }
    var kinds: [Int: UInt8] = [:]
    func kind(_ index: Int) -> UInt8 {
      if let known = kinds[index] { return known }
      let tree = bytes(index).flatMap {
        PageStructure.btree($0.span, page: 0, header: 0, usable: layout.usable)
      }
      kinds[index] = tree?.kind ?? 0
      return tree?.kind ?? 0
    }
    var best = (votes: 0, first: 0)
    for first in (-reach...reach).sorted(by: { abs($0) < abs($1) }) {
      var votes = 0
      for pointer in pointers.prefix(pointerLimit) where pointer.child > 1 {
        // A table's children are table pages, an index's index pages.
        let child = kind(first + Int(pointer.child) - 1)
        if child == pointer.kind || child == pointer.kind + 8 { votes += 1 }
      }
      if votes > best.votes { best = (votes, first) }
    }
    return residue + Int64(best.first) * size
  }
}
