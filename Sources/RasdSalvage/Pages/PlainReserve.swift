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
    // Of equals the smaller: a page's first cell may have been deleted.
    return votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
  }

  /// Where the highest cell of a table leaf ends, if it lies whole on its page.
  private static func end(_ page: Span<UInt8>, _ size: Int) -> Int? {
    guard let tree = PageStructure.btree(page, page: 0, header: 0, usable: size), tree.kind == 13,
      tree.cells > 0
    else { return nil }
    var cursor = ByteCursor(page)
    guard (try? cursor.seek(to: tree.highestCell)) != nil, let payload = try? cursor.varint(),
      (try? cursor.varint()) != nil, let length = Int(exactly: payload),
      length <= cursor.remaining, length < size - 35 - 255
    else { return nil }
    return cursor.offset + length
  }
}
