internal import RasdModel

/// Which page of a file is page 1, told from the pages' pointers to each other.
struct PageNumbering {
  private let store: ByteStore
  private let layout: PageLayout
  private let decode: (Span<UInt8>) -> [UInt8]
  private let residue: Int64
  private let held: Int
  private var facts: [Int: Facts] = [:]

  /// Pages sampled for child pointers, and the most pointers looked at.
  private static let sampledPages = 256
  private static let pointerLimit = 48
  /// Whole pages of shift that are tried in either direction.
  private static let reach = 256

  /// A child pointer with what its cell and the one before say of the child's rowids.
  private struct Pointer {
    let child: UInt32
    let kind: UInt8
    var rowids: ClosedRange<Int64>?
  }

  /// A page's kind, and for a table's the rowids of its first and last cell.
  private struct Facts {
    var kind: UInt8 = 0
    var rowids: ClosedRange<Int64>?
  }

  /// The start of page 1 for pages aligned at `layout.start` modulo the page size.
  ///
  /// For each candidate the children of interior pages are looked up: under the right one they
  /// are b-tree pages of their parent's kind whose rowids lie between their parent's keys. Without
  /// interior pages the first boundary is page 1. `decode` gives the bytes of a stored page that
  /// is not page 1.
  static func start(
    _ store: ByteStore,
    _ layout: PageLayout,
    decode: @escaping (Span<UInt8>) -> [UInt8]
  ) -> Int64 {
    var numbering = PageNumbering(store, layout, decode)
    return numbering.start()
  }

  private init(
    _ store: ByteStore,
    _ layout: PageLayout,
    _ decode: @escaping (Span<UInt8>) -> [UInt8]
  ) {
    self.store = store
    self.layout = layout
    self.decode = decode
    let size = Int64(layout.pageSize)
    residue = ((layout.start % size) + size) % size
    held = Int((store.size - residue) / size)
  }

  private mutating func start() -> Int64 {
    let pointers = pointers()
    var best = (votes: 0, first: 0)
    for first in (-Self.reach...Self.reach).sorted(by: { abs($0) < abs($1) }) {
      var votes = 0
      for pointer in pointers { votes += vote(pointer, first + Int(pointer.child) - 1) }
      if votes > best.votes { best = (votes, first) }
    }
    return residue + Int64(best.first) * Int64(layout.pageSize)
  }

  /// How much a page speaks for being the child of a pointer.
  private mutating func vote(_ pointer: Pointer, _ index: Int) -> Int {
    let child = facts(index)
    // A table's children are table pages, an index's index pages.
    guard child.kind == pointer.kind || child.kind == pointer.kind + 8 else { return 0 }
    guard let rowids = child.rowids, let bounds = pointer.rowids else { return 1 }
    return bounds.contains(rowids.lowerBound) && bounds.contains(rowids.upperBound) ? 4 : 0
  }

  private mutating func pointers() -> [Pointer] {
    var pointers: [Pointer] = []
    let step = max(1, held / Self.sampledPages)
    for index in stride(from: 0, to: held, by: step) where pointers.count < Self.pointerLimit {
      guard let page = bytes(index), let tree = tree(page), !tree.isLeaf else { continue }
      let span = page.span
      var previous = Int64.min
      for cell in 0..<tree.cells {
        let at = span.u16(12 + 2 * cell)
        var pointer = Pointer(child: span.u32(at), kind: tree.kind)
        if tree.kind == 5, let key = Self.varint(span, at + 4), key >= previous {
          pointer.rowids = previous...key
          previous = key
        }
        pointers.append(pointer)
      }
      pointers.append(
        Pointer(
          child: span.u32(8),
          kind: tree.kind,
          rowids: tree.kind == 5 ? previous...Int64.max : nil
        )
      )
    }
    return Array(pointers.filter { $0.child > 1 }.prefix(Self.pointerLimit))
  }

  private mutating func facts(_ index: Int) -> Facts {
    if let known = facts[index] { return known }
    var found = Facts()
    if let page = bytes(index), let tree = tree(page) {
      found.kind = tree.kind
      found.rowids = Self.rowids(page.span, tree)
    }
    facts[index] = found
    return found
  }

  private func bytes(_ index: Int) -> [UInt8]? {
    guard index >= 0, index < held else { return nil }
    let at = residue + Int64(index) * Int64(layout.pageSize)
    let stored = store.bytes(at: at, count: layout.pageSize)
    return stored.count == layout.pageSize ? decode(stored.span) : nil
  }

  private func tree(_ page: [UInt8]) -> PageStructure.BTree? {
    PageStructure.btree(page.span, page: 0, header: 0, usable: layout.usable)
  }

  /// The rowids of a table page's first and last cell.
  private static func rowids(
    _ page: Span<UInt8>,
    _ tree: PageStructure.BTree
  ) -> ClosedRange<Int64>? {
    guard tree.kind == 5 || tree.kind == 13, tree.cells > 0 else { return nil }
    func rowid(_ cell: Int) -> Int64? {
      let at = page.u16((tree.isLeaf ? 8 : 12) + 2 * cell)
      return tree.isLeaf ? varint(page, at, skipping: 1) : varint(page, at + 4)
    }
    guard let first = rowid(0), let last = rowid(tree.cells - 1), first <= last else { return nil }
    return first...last
  }

  private static func varint(_ page: Span<UInt8>, _ at: Int, skipping: Int = 0) -> Int64? {
    var cursor = ByteCursor(page)
    do throws(ByteCursor.OutOfBytes) {
      try cursor.seek(to: at)
      for _ in 0..<skipping { _ = try cursor.varint() }
      return Int64(bitPattern: try cursor.varint())
    } catch {
      return nil
    }
  }
}
