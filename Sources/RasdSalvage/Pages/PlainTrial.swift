internal import RasdCrypto
internal import RasdModel

/// Finds page size, alignment and reserved bytes of a plain file, with or without its header.
struct PlainTrial {
  let store: ByteStore
  let pageSize: Int?

  struct Found {
    var layout: PageLayout
    /// Whether page size and reserved bytes come from a header.
    var hasHeader: Bool
    /// Pages that are b-tree pages beyond doubt, of those looked at.
    var sound: Int
    var looked: Int
  }

  /// Takes the header at its word where pages agree with it, else finds the layout from the pages.
  func find() -> Found? {
    let stated = stated()
    if let stated, stated.sound > 0 || stated.looked == 0 { return stated }
    if let inferred = inferred() { return inferred }
    return stated
  }

  /// The layout that a header says, at the file's beginning or behind what was put in front.
  private func stated() -> Found? {
    let head = store.bytes(at: 0, count: Self.searched)
    var at = 0
    while at + DatabaseHeader.size <= head.count {
      guard let next = Self.magic(in: head.span, from: at) else { return nil }
      if let header = DatabaseHeader(Array(head[next...].prefix(DatabaseHeader.size))) {
        let layout = PageLayout(
          pageSize: header.pageSize,
          reserved: header.reserved,
          start: Int64(next)
        )
        let (sound, looked) = count(layout)
        return Found(layout: layout, hasHeader: true, sound: sound, looked: looked)
      }
      at = next + 1
    }
    return nil
  }

  /// How far in front of page 1 its magic is looked for.
  private static let searched = 1 << 20

  private static func magic(in bytes: Span<UInt8>, from: Int) -> Int? {
    let magic = DatabaseHeader.magic
    var at = from
    while at + magic.count <= bytes.count {
      // "S" first: most offsets fail here.
      if bytes[at] == magic[0] {
        var i = 1
        while i < magic.count, bytes[at + i] == magic[i] { i += 1 }
        if i == magic.count { return at }
      }
      at += 1
    }
    return nil
  }

  /// How many of some pages, page 1 among them, are b-tree pages, and how many are not empty.
  private func count(_ layout: PageLayout) -> (sound: Int, looked: Int) {
    let last = layout.count(fileSize: store.size)
    var sound = 0
    var looked = 0
    let step = max(1, Int(last) / Self.countedPages)
    for number in stride(from: 1, through: Int(last), by: step) {
      let number = UInt32(number)
      let bytes = store.bytes(at: layout.offset(of: number), count: layout.pageSize)
      guard bytes.count == layout.pageSize, bytes.contains(where: { $0 != 0 }) else { continue }
      looked += 1
      let header = number == 1 ? 100 : 0
      let tree = PageStructure.btree(bytes.span, page: 0, header: header, usable: layout.usable)
      if let tree, tree.cells > 0 || number == 1 { sound += 1 }
    }
    return (sound, looked)
  }

  private static let countedPages = 64

  // MARK: Without a header

  /// A place where a b-tree page begins, whatever the page size.
  private struct Hit {
    let offset: Int64
    let highestCell: Int
  }

  private func inferred() -> Found? {
    let hits = hits()
    guard !hits.isEmpty else { return lonePage() }
    let size = pageSize ?? size(of: hits)
    let residues = Dictionary(hits.map { (Int($0.offset % Int64(size)), 1) }, uniquingKeysWith: +)
    guard
      let top = residues.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      top.value >= 2 || hits.count == 1
    else { return nil }
    var layout = PageLayout(pageSize: size, reserved: 0, start: Int64(top.key))
    layout = PageLayout(
      pageSize: size,
      reserved: PlainReserve.find(store, layout),
      start: layout.start
    )
    let start = start(layout)
    layout = PageLayout(pageSize: size, reserved: layout.reserved, start: start)
    return Found(layout: layout, hasHeader: false, sound: top.value, looked: hits.count)
  }

  /// Page 1 is told by its b-tree header at 100, else by the pages' pointers to each other.
  private func start(_ layout: PageLayout) -> Int64 {
    let numbered = PageNumbering.start(store, layout) { [UInt8](copying: $0) }
    if numbered != layout.start { return numbered }
    let first = store.bytes(at: layout.start, count: layout.pageSize)
    let isFirst =
      PageStructure.btree(first.span, page: 0, header: 100, usable: layout.usable) != nil
      || !first.contains { $0 != 0 } || layout.start == 0
    // Bytes cut off the front leave the rest of page 1 before the first boundary.
    return isFirst ? layout.start : layout.start - Int64(layout.pageSize)
  }

  /// Each place in some windows of the file where a page with two cells or more can begin.
  private func hits() -> [Hit] {
    var hits: [Hit] = []
    let windows = store.size <= Int64(Self.window * Self.windows) ? 1 : Self.windows
    let length = windows == 1 ? Int(store.size) : Self.window
    for index in 0..<windows {
      let from = windows == 1 ? 0 : (store.size - Int64(length)) / Int64(windows - 1) * Int64(index)
      let bytes = store.bytes(at: from, count: length)
      let span = bytes.span
      var at = 0
      var budget = Self.cellBudget
      while at + 16 <= span.count, budget > 0 {
        if let header = PageStructure.header(span, page: at, header: 0, usable: 65_536) {
          budget -= header.cells
          if let tree = PageStructure.btree(span, page: at, header: 0, usable: 65_536),
            tree.isStrong
          {
            hits.append(Hit(offset: from + Int64(at), highestCell: tree.highestCell))
          }
        }
        at += 1
      }
    }
    return hits
  }

  /// 2 MiB in all: sixteen pages of the largest size in each window.
  private static let windows = 2
  private static let window = 1 << 20
  /// Cell pointers looked at in a window: ten times what honest pages hold, and an end for bytes
  /// made to look like a page at every offset.
  private static let cellBudget = 1 << 22

  /// The smallest size that holds the cells of nearly all pages: a page's first cell lies at its
  /// very end.
  private func size(of hits: [Hit]) -> Int {
    var best = (size: 512, score: -1)
    for size in PageLayout.pageSizes {
      let inside = hits.filter { $0.highestCell < size }
      let residues = Dictionary(inside.map { ($0.offset % Int64(size), 1) }, uniquingKeysWith: +)
      let agreeing = residues.values.max() ?? 0
      // A larger size must be borne out: some page's cells lie beyond the size below.
      let beyond = inside.count { $0.highestCell >= size / 2 }
      let score = beyond == 0 ? 0 : agreeing
      if score > best.score { best = (size, score) }
    }
    return best.size
  }

  /// A file of one page whose header is gone.
  private func lonePage() -> Found? {
    for size in pageSize.map({ [$0] }) ?? PageLayout.pageSizes where Int64(size) <= store.size {
      let bytes = store.bytes(at: 0, count: size)
      let tree = PageStructure.btree(bytes.span, page: 0, header: 100, usable: size)
      if let tree, tree.cells > 0 {
        let layout = PageLayout(pageSize: size, reserved: 0, start: 0)
        return Found(layout: layout, hasHeader: false, sound: 1, looked: 1)
      }
    }
    return nil
  }
}
