/// Whether bytes look like a b-tree page, judged by nothing but the page itself (SQLite file
/// format, §1.6): what tells a right key, page size or alignment where nothing else proves it.
enum PageStructure {
  /// Fields of a b-tree page header that are consistent with each other.
  struct BTree: Equatable {
    let kind: UInt8
    let cells: Int
    /// The highest offset of a cell, from the start of the page; 0 for a page without cells.
    let highestCell: Int
    /// Whether the cell content area begins with its lowest cell, as SQLite leaves it.
    let isTight: Bool

    var isLeaf: Bool { kind == 13 || kind == 10 }
    /// Random bytes look like a page about once in four million, like a strong one once in 10^11.
    var isStrong: Bool { cells >= 2 && isTight }
  }

  /// The fixed fields of a b-tree page header, where they are consistent.
  struct Header {
    let kind: UInt8
    let cells: Int
    let content: Int
    /// Where the cell pointers begin, from the start of the page.
    let pointers: Int
  }

  /// Reads the header at `header` of a page that begins at `page` in `bytes`.
  static func header(_ bytes: Span<UInt8>, page: Int, header: Int, usable: Int) -> Header? {
    guard header >= 0, page >= 0, page <= bytes.count - 8, header <= bytes.count - page - 8
    else { return nil }
    let at = page + header
    let kind = bytes[at]
    guard kind == 2 || kind == 5 || kind == 10 || kind == 13, bytes[at + 7] <= 60 else {
      return nil
    }
    let freeblock = bytes.u16(at + 1)
    let cells = bytes.u16(at + 3)
    let stored = bytes.u16(at + 5)
    let content = stored == 0 ? 65_536 : stored
    let pointers = header + (kind == 2 || kind == 5 ? 12 : 8)
    let floor = pointers + 2 * cells
    guard content >= floor, content <= usable, freeblock == 0 || freeblock >= content,
      freeblock == 0 || freeblock <= usable - 4, bytes.count - page >= floor
    else { return nil }
    return Header(kind: kind, cells: cells, content: content, pointers: pointers)
  }

  /// Reads header and cell pointers of a page that begins at `page` in `bytes`.
  ///
  /// `usable` is the page's size less its reserved bytes; where that is unknown, an upper bound.
  static func btree(_ bytes: Span<UInt8>, page: Int, header at: Int, usable: Int) -> BTree? {
    guard let header = header(bytes, page: page, header: at, usable: usable) else { return nil }
    var highest = 0
    var lowest = usable
    for cell in 0..<header.cells {
      let pointer = bytes.u16(page + header.pointers + 2 * cell)
      guard pointer >= header.content, pointer <= usable - 4 else { return nil }
      highest = max(highest, pointer)
      lowest = min(lowest, pointer)
    }
    return BTree(
      kind: header.kind,
      cells: header.cells,
      highestCell: highest,
      isTight: lowest == header.content
    )
  }

  /// How much a page speaks for having been decrypted with the right key: 3 a b-tree page, 2 an
  /// empty one, 1 what can be an overflow or freelist page of a file of `pageCount` pages, 0 none.
  static func score(_ page: Span<UInt8>, number: UInt32, usable: Int, pageCount: UInt32) -> Int {
    if let tree = btree(page, page: 0, header: number == 1 ? 100 : 0, usable: usable) {
      return tree.isStrong ? 3 : 2
    }
    guard number > 1, page.count >= 4 else { return 0 }
    return page.u32(0) <= pageCount ? 1 : 0
  }
}

extension Span<UInt8> {
  /// Big-endian; the caller has checked the bounds, and the subscript checks them again.
  @inline(__always)
  func u16(_ at: Int) -> Int { Int(self[at]) << 8 | Int(self[at + 1]) }

  @inline(__always)
  func u32(_ at: Int) -> UInt32 {
    UInt32(self[at]) << 24 | UInt32(self[at + 1]) << 16 | UInt32(self[at + 2]) << 8
      | UInt32(self[at + 3])
  }

  func isAllZero(_ range: Range<Int>) -> Bool {
    for i in range where self[i] != 0 { return false }
    return true
  }
}
