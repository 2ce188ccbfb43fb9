/// The cells of one b-tree page as its pointer array names them, and what lies between them.
struct LeafCells {
  enum RegionKind: Hashable, Sendable { case gap, freeblock }

  /// Bytes of the page that no live cell takes.
  struct Region: Hashable, Sendable {
    var range: Range<Int>
    var kind: RegionKind
  }

  let header: BTreeHeader
  /// Cells that lie whole in the page, with their place in the pointer array.
  private(set) var cells: [(index: Int, cell: Cell)] = []
  /// Entries of the pointer array that name no cell.
  private(set) var badPointers = 0
  /// Whether cells, freeblocks, fragments and gap fill the page exactly, as SQLite keeps it.
  ///
  /// Where they don't, the header or a pointer lies, and a whole cell outside the array may be
  /// a live one.
  private(set) var isConsistent = true
  private(set) var freeblocks: [Range<Int>] = []
  private let usable: Int

  /// Reads the cells; `nil` where the page is no b-tree page.
  init?(_ page: Page, spill: SpillRule) {
    let bytes = page.bytes.span
    usable = page.usable
    guard let header = BTreeHeader(bytes, start: page.number == 1 ? 100 : 0, usable: usable)
    else { return nil }
    self.header = header
    let room = max(0, (usable - header.pointers) / 2)
    if header.cellCount > room || !header.isPlausible(usable: usable) { isConsistent = false }
    let count = min(header.cellCount, room)
    let first = header.pointers + 2 * count
    cells.reserveCapacity(count)
    var used = 0
    for i in 0..<count {
      let at = bytes.u16(header.pointers + 2 * i)
      guard at >= first,
        let cell = Cell(bytes, at: at, kind: header.kind, spill: spill, limit: usable)
      else {
        badPointers += 1
        continue
      }
      used += cell.end - cell.start
      cells.append((i, cell))
    }
    if badPointers > 0 { isConsistent = false }
    readFreeblocks(bytes)
    guard isConsistent else { return }
    let free = freeblocks.reduce(0) { $0 + $1.count }
    isConsistent = used + free + header.fragmentedBytes == usable - header.contentStart
  }

  private mutating func readFreeblocks(_ bytes: Span<UInt8>) {
    var at = header.firstFreeblock
    var last = header.pointers
    while at != 0 {
      guard at >= last, at + 4 <= usable else {
        isConsistent = false
        return
      }
      let size = bytes.u16(at + 2)
      guard size >= 4, at + size <= usable else {
        isConsistent = false
        return
      }
      freeblocks.append(at..<at + size)
      last = at + size
      at = bytes.u16(at)
    }
  }

  /// What lies between the end of the pointer array and the end of the page, less the cells
  /// and what else is `taken`.
  func regions(taken: [Range<Int>] = []) -> [Region] {
    var used = cells.map { $0.cell.start..<$0.cell.end } + taken
    used.sort { $0.lowerBound < $1.lowerBound }
    var regions: [Region] = []
    var at = min(header.pointers + 2 * header.cellCount, usable)
    func add(_ range: Range<Int>) {
      guard range.count >= 4 else { return }
      let isGap = range.lowerBound < min(header.contentStart, usable)
      regions.append(Region(range: range, kind: isGap ? .gap : .freeblock))
    }
    for cell in used {
      if cell.lowerBound > at { add(at..<cell.lowerBound) }
      at = max(at, cell.upperBound)
    }
    if at < usable { add(at..<usable) }
    return regions
  }
}
