internal import RasdModel

/// How many bytes at the end of each page a headless file reserves: the first cell put on a page
/// ends where the usable part does.
enum PlainReserve {
  private static let sampledPages = 64

  static func find(_ store: ByteStore, _ layout: PageLayout) -> Int {
    var votes: [Int: Int] = [:]
    let last = layout.count(fileSize: store.size)
    let step = max(1, Int(last) / sampledPages)
    for number in stride(from: 1, through: Int(last), by: step) {
      let bytes = store.bytes(at: layout.offset(of: UInt32(number)), count: layout.pageSize)
      guard bytes.count == layout.pageSize,
        let end = end(bytes.span, layout.pageSize), layout.pageSize - end <= 255
      else { continue }
      votes[layout.pageSize - end, default: 0] += 1
    }
    // A cell that ends further back proves that much is usable; a few pages may be forged or hit.
    let total = votes.values.reduce(0, +)
    return votes.filter { $0.value * 8 >= total }.keys.min() ?? 0
  }

  /// Where the highest cell of a page ends, if it lies whole on the page.
  private static func end(_ page: Span<UInt8>, _ size: Int) -> Int? {
    guard let tree = PageStructure.btree(page, page: 0, header: 0, usable: size), tree.isTight,
      tree.cells > 0
    else { return nil }
    var cursor = ByteCursor(page)
    do throws(ByteCursor.OutOfBytes) {
      try cursor.seek(to: tree.highestCell)
      if !tree.isLeaf { try cursor.skip(4) }
      let number = try cursor.varint()
      if tree.kind == 5 { return cursor.offset }
      if tree.kind == 13 { _ = try cursor.varint() }
      guard let length = Int(exactly: number) else { return nil }
      try cursor.skip(length)
      // Whole only if it does not spill on a page that is usable up to its end (§1.6).
      let end = cursor.offset
      guard length <= (tree.kind == 13 ? end - 35 : (end - 12) * 64 / 255 - 23) else { return nil }
      return cursor.offset
    } catch {
      return nil
    }
  }
}
