package import RasdModel

/// Gets every decodable row out of a database's pages.
///
/// The pages are read in passes, so that memory does not grow with the file: a survey that
/// keeps a few bytes a page, then the rows.
package struct Salvage {
  package struct Options: Sendable {
    /// Tasks that decode at the same time.
    package var workers = 2
    /// Whose rows these are; only keys of `kv`, `outbox` and `x_*` carry it.
    package var namespace: Namespace

    package init(namespace: Namespace) { self.namespace = namespace }
  }

  private let source: PageSource
  private let profiles: [Profile]
  private let options: Options
  private var map: PageMap
  private var catalog: Catalog
  private let spill: SpillRule

  package init(_ source: PageSource, profiles: [Profile], options: Options) {
    self.source = source
    self.profiles = profiles
    self.options = options
    map = PageMap(count: source.pageCount)
    catalog = Catalog(encoding: source.encoding ?? .utf8)
    spill = SpillRule(usable: source.usableSize)
  }

  /// The tables that rows may name, once `survey` is done.
  package var tables: [SalvageTable] { catalog.tables }

  /// Reads every page once and works out which tree it belongs to.
  package mutating func survey() async throws(RasdError) {
    var map = self.map
    let count = source.pageCount
    let spill = spill
    try await source.forEachPage(workers: options.workers) { page in
      PageSurvey(page, pageCount: count, spill: spill)
    } consume: { (survey: PageSurvey) throws(RasdError) in
      map.add(survey)
    }
    self.map = map
    catalog.trees[1].lost = self.map.claimTree(root: 1, owner: 1, isIndex: false)
    catalog.add(readSchema(), profiles: profiles)
    for i in catalog.trees.indices.dropFirst(2) {
      var isIndex = true
      if case .table(let table) = catalog.trees[i].content {
        isIndex = catalog.tables[table].schema.isWithoutRowid
      }
      catalog.trees[i].lost = self.map.claimTree(
        root: catalog.trees[i].root,
        owner: UInt16(i),
        isIndex: isIndex
      )
    }
    self.map.claimChains(of: .tree)
  }

  private func readSchema() -> [SchemaEntry] {
    var map = map
    map.claimChains(of: .tree)
    let plan = SalvagePlan(source: source, map: map, catalog: catalog, options: options)
    var entries: [SchemaEntry] = []
    for number in 1...max(1, map.count) where map.owner(number) == 1 {
      guard map.shape(number) == .tableLeaf, let page = source.current(number),
        let cells = LeafCells(page, spill: spill)
      else { continue }
      var rows = PageRows(plan)
      rows.add(page, cells, table: 0, kind: .live, notes: [])
      for row in rows.batch.rows {
        if let entry = SchemaEntry(rows.batch.values(of: row), in: rows.batch.bytes) {
          entries.append(entry)
        }
      }
    }
    return entries
  }

  /// Delivers the rows, page by page.
  package func rows(
    _ sink: (RowBatch) throws(RasdError) -> Void
  ) async throws(RasdError) {
    let plan = SalvagePlan(source: source, map: map, catalog: catalog, options: options)
    let spill = spill
    try await source.forEachPage(workers: options.workers) { page -> RowBatch? in
      guard let table = plan.table(of: page.number), table > 0,
        let cells = LeafCells(page, spill: spill), cells.header.kind != .tableInterior
      else { return nil }
      var rows = PageRows(plan)
      rows.add(page, cells, table: table, kind: .live, notes: [])
      return rows.batch
    } consume: { (batch: RowBatch?) throws(RasdError) in
      if let batch, !batch.rows.isEmpty { try sink(batch) }
    }
  }
}
