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
  var fields: [RecordField] = []

  init(
    _ catalog: Catalog,
    spill: SpillRule,
    kind: BTreeKind,
    tables: [Int],
    rebuildable: Int,
    takesUnknown: Bool
  ) {
    self.catalog = catalog
    self.spill = spill
    self.kind = kind
    self.tables = tables
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
      if let cell = cell(page, at, range.upperBound) {
        at = cell.range.upperBound
        found.append(cell)
      } else {
        at += 1
      }
    }
  }

  mutating func cell(_ page: Span<UInt8>, _ at: Int, _ limit: Int) -> CarvedCell? {
    whole(page, at, limit) ?? rebuilt(page, at, limit)
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
    for candidate in tables where catalog.shapes[candidate].isIndex == kind.isIndex {
      if Plausibility.holds(fields, payload, catalog.shapes[candidate], isRebuilt: false) {
        table = candidate
        break
      }
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
