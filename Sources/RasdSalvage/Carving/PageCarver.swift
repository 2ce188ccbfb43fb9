internal import RasdModel

/// Finds what one page holds besides its live rows.
struct PageCarver {
  /// A row that is not live: carved out of free bytes, or named by the pointer array of a page
  /// that is no longer, or not yet, part of the database.
  struct Find: Sendable {
    enum Place: Sendable {
      case carved(CarvedCell)
      case cell(index: Int, Cell, isIndex: Bool)
    }
    let place: Place
    let kind: RowKind
    /// Index of the table, or -1.
    let table: Int
  }

  let plan: SalvagePlan
  private let spill: SpillRule

  init(_ plan: SalvagePlan) {
    self.plan = plan
    spill = plan.payloads.spill
  }

  /// What a current page holds.
  func finds(_ page: Page) -> [Find] {
    let fate = plan.map.fate(page.number)
    switch fate {
    case .tree, .orphan:
      guard let cells = LeafCells(page, spill: spill) else { return [] }
      var found: [Find] = []
      if fate == .orphan, plan.candidates.includesOrphans, let table = plan.table(of: page.number),
        table > 0, cells.header.kind.hasPayload
      {
        found += self.cells(cells, kind: .orphan, table: table)
      }
      return found + inside(page, cells, own: plan.table(of: page.number))
    case .freelistLeaf: return loose(page, from: 0, kind: .freelist)
    case .freelistTrunk:
      let leaves = plan.map.trunks[page.number]?.count ?? 0
      return loose(page, from: min(page.usable, 8 + 4 * leaves), kind: .freelist)
    case .unknown:
      // A trunk without leaves begins so; nothing else with cells in it does.
      let isTrunk = page.bytes.span.isAllZero(0..<8)
      return loose(page, from: 0, kind: isTrunk ? .freelist : .orphan)
    default: return []
    }
  }

  /// What a page of history, or a disputed one, holds: the rows that its pointer array names,
  /// and in history what was deleted from it even then.
  func rows(_ page: Page) -> [Find] {
    let isDisputed = page.standing == .disputed
    guard let cells = LeafCells(page, spill: spill) else {
      return isDisputed ? [] : loose(page, from: 0, kind: .history)
    }
    var attribution = plan.attribution
    let judged = attribution.judge(page).verdict
    var own: Int?
    switch judged {
    case .table(0): return []
    case .table(let table): own = owned(page, judged) ?? table
    case .unknown: own = owned(page, judged)
    case .nothing: own = plan.table(of: page.number)
    case .index: break
    }
    var found: [Find] = []
    if cells.header.kind.hasPayload, judged != .nothing, let own {
      found = self.cells(cells, kind: isDisputed ? .live : .history, table: own)
    }
    return isDisputed ? found : found + inside(page, cells, own: own, kind: .history)
  }

  /// The owner that the page has today, if records judged so may be its.
  private func owned(_ page: Page, _ judged: Attribution.Verdict) -> Int? {
    guard let table = plan.table(of: page.number), table > 0 else { return nil }
    let stored = plan.catalog.tables[table].schema.stored.count
    switch judged {
    case .table(let found):
      return plan.catalog.tables[found].schema.stored.count == stored ? table : nil
    case .unknown(let columns): return columns == stored ? table : nil
    default: return nil
    }
  }

  private func cells(_ cells: LeafCells, kind: RowKind, table: Int) -> [Find] {
    cells.cells.map {
      Find(
        place: .cell(index: $0.index, $0.cell, isIndex: cells.header.kind.isIndex),
        kind: kind,
        table: table
      )
    }
  }

  /// The free bytes of a b-tree page of table `own`.
  private func inside(
    _ page: Page,
    _ cells: LeafCells,
    own: Int?,
    kind rowKind: RowKind? = nil
  ) -> [Find] {
    guard own != 0 else { return [] }
    var found: [Find] = []
    for region in cells.regions() {
      for cell in carve(page, region.range, cells, own: own, isLoose: false) {
        // Where the header lies these are taken for live rows; see `PageRows.addHidden`.
        if rowKind == nil, !cells.isConsistent, !cell.isRebuilt, cell.table == own { continue }
        let kind = rowKind ?? (region.kind == .gap ? .gap : .freeblock)
        found.append(Find(place: .carved(cell), kind: kind, table: cell.table))
      }
    }
    return found
  }

  /// A page that is in no tree, from `start` on.
  private func loose(_ page: Page, from start: Int, kind: RowKind) -> [Find] {
    guard !page.isZero, start < page.usable else { return [] }
    let cells = LeafCells(page, spill: spill)
    var attribution = plan.attribution
    var own: Int?
    if case .table(let table) = attribution.judge(page).verdict, table > 0 { own = table }
    let carved = carve(page, start..<page.usable, cells, own: own, isLoose: true)
    var unknown: [Int: Int] = [:]
    for cell in carved where cell.table < 0 { unknown[cell.columns, default: 0] += 1 }
    return carved.compactMap { cell in
      // One record of a shape of its own is as likely an accident.
      guard cell.table >= 0 || unknown[cell.columns] ?? 0 > 1 else { return nil }
      let kind = kind == .orphan && cell.isRebuilt ? .freeblock : kind
      return Find(place: .carved(cell), kind: kind, table: cell.table)
    }
  }

  /// Cells in a range of free bytes, those of the page's own kind first.
  ///
  /// A leaf that became an interior page, or an index, keeps cells of before in its gap.
  private func carve(
    _ page: Page,
    _ range: Range<Int>,
    _ cells: LeafCells?,
    own: Int?,
    isLoose: Bool
  ) -> [CarvedCell] {
    let tree = cells?.header.kind ?? .tableLeaf
    let freeblocks = Set(cells?.freeblocks.map(\.lowerBound) ?? [])
    var found: [CarvedCell] = []
    // A cell of an interior page loses its child to a freeblock's header, and nothing else; but
    // in the gap, where a leaf became an interior page, much is overwritten in part.
    let isFreed = range.lowerBound >= cells?.header.contentStart ?? 0
    let isSure = isFreed && own.map { plan.strengths[$0] >= CellCarver.strong } ?? false
    if tree.isIndex, isSure && !isLoose || !tree.isInterior, isLoose || own != nil {
      var carver = carver(
        .indexLeaf,
        own,
        isLoose,
        takesUnknown: false,
        rebuilds: !tree.isInterior
      )
      carver.freeblocks = freeblocks
      carver.carve(page.bytes.span, range, into: &found)
    }
    var carver = carver(.tableLeaf, own, isLoose, takesUnknown: isLoose && !tree.isIndex)
    carver.freeblocks = freeblocks
    var at = range.lowerBound
    for taken in found.map(\.range) {
      carver.carve(page.bytes.span, at..<taken.lowerBound, into: &found)
      at = taken.upperBound
    }
    carver.carve(page.bytes.span, at..<range.upperBound, into: &found)
    return found
  }

  private func carver(
    _ kind: BTreeKind,
    _ own: Int?,
    _ isLoose: Bool,
    takesUnknown: Bool,
    rebuilds: Bool = true
  ) -> CellCarver {
    let fits = own.map { plan.catalog.tables[$0].schema.isWithoutRowid == kind.isIndex } ?? false
    return CellCarver(
      plan,
      kind: kind,
      own: fits ? own : nil,
      others: plan.carved,
      rebuildable: !rebuilds ? 0 : isLoose ? plan.carved.count + 1 : fits ? 1 + plan.dropped : 0,
      takesUnknown: takesUnknown
    )
  }
}
