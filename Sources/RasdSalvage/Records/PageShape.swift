/// What a page's bytes look like, each page judged on its own.
enum PageShape: UInt8, Hashable, Sendable, CaseIterable {
  /// Not in the file.
  case absent
  /// Nothing but zeros.
  case zero
  case tableLeaf, tableInterior, indexLeaf, indexInterior
  /// An overflow page, a freelist trunk, a pointer map or a ruin.
  case other

  init(_ kind: BTreeKind) {
    switch kind {
    case .indexInterior: self = .indexInterior
    case .tableInterior: self = .tableInterior
    case .indexLeaf: self = .indexLeaf
    case .tableLeaf: self = .tableLeaf
    }
  }

  var kind: BTreeKind? {
    switch self {
    case .tableLeaf: .tableLeaf
    case .tableInterior: .tableInterior
    case .indexLeaf: .indexLeaf
    case .indexInterior: .indexInterior
    default: nil
    }
  }

  var isInterior: Bool { self == .tableInterior || self == .indexInterior }
  var isIndex: Bool { self == .indexLeaf || self == .indexInterior }
  var isBTree: Bool { kind != nil }
}

/// What the first pass keeps of a page.
struct PageSurvey: Sendable {
  let number: UInt32
  let verdict: PageVerdict
  let isCurrent: Bool
  var shape = PageShape.other
  /// First four bytes of a page that is no b-tree page: the next of an overflow chain or trunk.
  var link: UInt32 = 0
  /// Children of an interior page, the right-most last.
  var children: [UInt32] = []
  /// First overflow pages of the cells.
  var heads: [UInt32] = []
  /// Free pages that it would name if it were a freelist trunk; `nil` where it can't be one.
  var trunk: [UInt32]?

  init(_ page: Page, pageCount: UInt32, spill: SpillRule) {
    number = page.number
    verdict = page.verdict
    isCurrent = page.standing == .current
    let bytes = page.bytes.span
    let start = page.number == 1 ? 100 : 0
    guard
      let header = BTreeHeader(bytes, start: start, usable: page.usable),
      header.isPlausible(usable: page.usable)
        || page.verdict != .intact && Self.holdsCells(bytes, header, spill, page.usable)
    else {
      if page.isZero { shape = .zero } else { other(bytes, page.usable, pageCount) }
      return
    }
    shape = PageShape(header.kind)
    collect(bytes, header, spill, page.usable, pageCount)
  }

  private mutating func other(_ bytes: Span<UInt8>, _ usable: Int, _ pageCount: UInt32) {
    link = bytes.u32(0)
    let count = bytes.u32(4)
    guard link <= pageCount, count <= UInt32(usable / 4 - 2), link > 0 || count > 0 else { return }
    var leaves: [UInt32] = []
    for i in 0..<Int(count) {
      let leaf = bytes.u32(8 + 4 * i)
      guard leaf > 1, leaf <= pageCount, leaf != number else { return }
      leaves.append(leaf)
    }
    trunk = leaves
  }

  private mutating func collect(
    _ bytes: Span<UInt8>,
    _ header: BTreeHeader,
    _ spill: SpillRule,
    _ usable: Int,
    _ pageCount: UInt32
  ) {
    let room = max(0, (usable - header.pointers) / 2)
    let mayspill = header.kind.hasPayload
    for i in 0..<min(header.cellCount, room) {
      let at = bytes.u16(header.pointers + 2 * i)
      guard at >= header.pointers, at + 4 <= usable else { continue }
      if header.kind.isInterior {
        let child = bytes.u32(at)
        if child > 1 { children.append(child) }
      }
      guard mayspill,
        let cell = Cell(bytes, at: at, kind: header.kind, spill: spill, limit: usable),
        cell.spills, cell.overflow <= pageCount
      else { continue }
      heads.append(cell.overflow)
    }
    if header.kind.isInterior, header.rightChild > 1 {
      children.append(header.rightChild)
    }
  }

  /// Whether a page whose header is damaged still shows cells where its pointers say.
  private static func holdsCells(
    _ bytes: Span<UInt8>,
    _ header: BTreeHeader,
    _ spill: SpillRule,
    _ usable: Int
  ) -> Bool {
    var good = 0
    for i in 0..<min(16, (usable - header.pointers) / 2) {
      let at = bytes.u16(header.pointers + 2 * i)
      guard at >= header.pointers + 2, at < usable,
        Cell(bytes, at: at, kind: header.kind, spill: spill, limit: usable) != nil
      else { continue }
      good += 1
    }
    return good >= 4
  }
}
