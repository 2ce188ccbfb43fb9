internal import RasdModel

/// Finds deleted cells in the free bytes of a page.
///
/// A cell whose bytes are all there is known by its payload size, which must be what its
/// record header adds up to. One that was a freeblock has lost its first four bytes; what they
/// held is worked out from the table's shape and the freeblock's own size (see
/// `CellCarver+Rebuild`).
struct CellCarver {
  let catalog: Catalog
  let spill: SpillRule
  let kind: BTreeKind
  /// Tables to try, the likeliest first.
  let tables: [Int]
  /// Whether records that fit none of the tables are taken too.
  let takesUnknown: Bool
  /// How many of `tables` may be rebuilt; the rest must be whole.
  let rebuildable: Int
  /// The table that the page belongs to, if any.
  let own: Int?
  let strengths: [Int]
  /// Where freeblocks of the page begin: what stands nowhere else is no freeblock's header by
  /// chance only where the table's shape says enough.
  var freeblocks: Set<Int> = []
  var fields: [RecordField] = []

  init(
    _ plan: SalvagePlan,
    kind: BTreeKind,
    own: Int?,
    others: [Int],
    rebuildable: Int,
    takesUnknown: Bool
  ) {
    catalog = plan.catalog
    strengths = plan.strengths
    spill = plan.payloads.spill
    self.kind = kind
    self.own = own
    tables = (own.map { [$0] } ?? []) + others.filter { $0 != own }
    self.rebuildable = rebuildable
    self.takesUnknown = takesUnknown
  }

  /// The cells in a range of free bytes, in order.
  mutating func carve(_ page: Span<UInt8>, _ range: Range<Int>, into found: inout [CarvedCell]) {
    var at = range.lowerBound
    while at + 4 <= range.upperBound {
      if page[at] == 0, page[at + 1] == 0, page[at + 2] == 0, page[at + 3] == 0 {
        at += 1
        continue
      }
      guard let cell = whole(page, at, range.upperBound) ?? rebuilt(page, at, range.upperBound),
        !isOverwritten(cell, page, range.upperBound)
      else {
        at += 1
        continue
      }
      at = cell.range.upperBound
      // A cell that was freed next to it has become part of the same freeblock.
      freeblocks.insert(at)
      found.append(cell)
    }
  }

  /// Whether another cell begins within this one, which is then the newer of the two.
  private mutating func isOverwritten(
    _ cell: CarvedCell,
    _ page: Span<UInt8>,
    _ limit: Int
  ) -> Bool {
    var at = cell.range.lowerBound + 4
    while at < cell.range.upperBound, at + 4 <= limit {
      if page[at] >= 3, let inner = whole(page, at, limit), inner.table >= 0,
        strengths[inner.table] > 1
      {
        return true
      }
      at += 1
    }
    return false
  }

  /// The cell at `at` if all its bytes are there.
  mutating func whole(_ page: Span<UInt8>, _ at: Int, _ limit: Int) -> CarvedCell? {
    guard page[at] >= 3, let cell = Cell(page, at: at, kind: kind, spill: spill, limit: limit),
      cell.payloadSize >= 3, cell.rowid >= 0, cell.local >= 3
    else { return nil }
    let payload = page.extracting(cell.payloadStart..<cell.payloadStart + cell.local)
    // Most offsets fail here, before anything is read into an array.
    guard payload[0] >= 2, Int(payload[0]) <= cell.payloadSize || payload[0] >= 0x80,
      RecordHeader.read(payload, size: cell.payloadSize, into: &fields) == .exact
    else { return nil }
    var table: Int?
    var best = 0
    for candidate in tables where catalog.shapes[candidate].isIndex == kind.isIndex {
      let shape = catalog.shapes[candidate]
      guard Plausibility.holds(fields, payload, shape, isRebuilt: false),
        let score = shape.score(fields, payload), score > best
      else { continue }
      (table, best) = (candidate, score)
      if candidate == own { break }
    }
    if table == nil {
      guard takesUnknown, Plausibility.holds(fields, payload, catalog.encoding) else { return nil }
    }
    let headerEnd = fields.first?.offset ?? 0
    guard headerEnd <= cell.local else { return nil }
    return CarvedCell(
      range: at..<cell.end,
      payloadSize: cell.payloadSize,
      rowid: kind.isIndex ? nil : cell.rowid,
      header: [UInt8](copying: payload.extracting(0..<headerEnd)),
      body: cell.payloadStart + headerEnd..<cell.payloadStart + cell.local,
      overflow: cell.overflow,
      table: table ?? -1,
      isRebuilt: false,
      columns: fields.count
    )
  }
}
