/// The four kinds of b-tree page, by their first byte (file format, §1.6).
enum BTreeKind: UInt8, Hashable, Sendable {
  case indexInterior = 0x02
  case tableInterior = 0x05
  case indexLeaf = 0x0A
  case tableLeaf = 0x0D

  var isInterior: Bool { self == .indexInterior || self == .tableInterior }
  var isIndex: Bool { self == .indexInterior || self == .indexLeaf }
  /// Whether its cells carry a payload; those of a table's interior carry a key alone.
  var hasPayload: Bool { self != .tableInterior }
  /// Bytes of the page header.
  var headerSize: Int { isInterior ? 12 : 8 }
}

/// The header of a b-tree page as it stands, true or not.
struct BTreeHeader: Hashable, Sendable {
  let kind: BTreeKind
  /// Offset of the header: 100 on page 1, else 0.
  let start: Int
  let firstFreeblock: Int
  let cellCount: Int
  /// First byte of the cell content area.
  let contentStart: Int
  let fragmentedBytes: Int
  /// Right-most child, of interior pages.
  let rightChild: UInt32

  /// Offset of the cell pointer array.
  var pointers: Int { start + kind.headerSize }

  /// Reads the header at `start`; `nil` where the page is no b-tree page.
  init?(_ page: Span<UInt8>, start: Int, usable: Int) {
    guard start + 12 <= page.count, usable <= page.count,
      let kind = BTreeKind(rawValue: page[start])
    else { return nil }
    self.kind = kind
    self.start = start
    firstFreeblock = page.u16(start + 1)
    cellCount = page.u16(start + 3)
    let content = page.u16(start + 5)
    contentStart = content == 0 ? 65_536 : content
    fragmentedBytes = Int(page[start + 7])
    rightChild = kind.isInterior ? page.u32(start + 8) : 0
  }

  /// Whether counts and offsets fit the page; a page that fails may still hold cells.
  func isPlausible(usable: Int) -> Bool {
    pointers + 2 * cellCount <= contentStart && contentStart <= usable
      && (firstFreeblock == 0 || firstFreeblock >= pointers && firstFreeblock + 4 <= usable)
      && fragmentedBytes <= 60 + 3 * max(cellCount, 0)
  }
}
