package import RasdModel

extension Salvage {
  /// Delivers the rows, page by page: live ones and orphans first, then what was carved, then
  /// history.
  ///
  /// - Throws: what `sink` throws.
  package mutating func rows(
    _ sink: (RowBatch) throws(RasdError) -> Void
  ) async throws(RasdError) -> SalvageLedger {
    let first = plan()
    var ledger = self.ledger
    var copied = Copies()
    var names: [UInt64: String] = [:]
    var living = LivingKeys()
    func deliver(_ rows: PageRows?) throws(RasdError) {
      guard let rows else { return }
      for name in rows.attachmentNames { names[name.id] = name.name }
      copied.add(rows.copied, isDoubtful: rows.isDoubtful)
      living.add(rows.keys)
      ledger.undecodable += rows.undecodable
      ledger.candidates += rows.undecodable
      guard !rows.batch.rows.isEmpty else { return }
      if rows.batch.rows[0].table == 0 {
        ledger.schemaRows += rows.batch.rows.count
        ledger.candidates += rows.batch.rows.count
        return
      }
      var batch = rows.batch
      ledger.deliver(&batch)
      try sink(batch)
    }
    // An attachment's name stands with its submission, so attachments come second.
    let second = pagesOfAttachments(first)
    let isSecond = Set(second)
    try await source.forEachPage(workers: options.workers) { page in
      isSecond.contains(page.number) ? nil : Self.live(page, first)
    } consume: { (rows: PageRows?) throws(RasdError) in
      try deliver(rows)
    }
    let named = plan(names: names)
    try await source.forEach(of: second, workers: options.workers) { page in
      Self.live(page, named)
    } consume: { (rows: PageRows?) throws(RasdError) in
      try deliver(rows)
    }
    if !candidates.isEmpty {
      try await carved(names, living, copied, &ledger, sink)
    }
    try unlisted(named, &ledger, sink)
    self.ledger = ledger
    return ledger
  }

  private func pagesOfAttachments(_ plan: SalvagePlan) -> [UInt32] {
    guard catalog.tables.contains(where: { $0.native == .attachments }) else { return [] }
    return (1...max(1, map.count)).filter { page in
      plan.table(of: page).map { catalog.tables[$0].native == .attachments } ?? false
    }
  }

  /// The rows that a current page shows.
  static func live(_ page: Page, _ plan: SalvagePlan) -> PageRows? {
    let fate = plan.map.fate(page.number)
    guard page.standing == .current, fate == .tree || fate == .orphan,
      let table = plan.table(of: page.number),
      fate == .tree || table == 0 || !plan.candidates.includesOrphans
    else { return nil }
    let kind: RowKind = fate == .tree ? .live : .orphan
    let notes: RowNotesSet = fate == .tree ? [] : .byShape
    var rows = PageRows(plan)
    guard let cells = LeafCells(page, spill: plan.payloads.spill) else {
      rows.addHidden(page, nil, table: table, kind: kind, notes: notes)
      return rows
    }
    let isIndex = plan.catalog.tables[table].schema.isWithoutRowid
    guard cells.header.kind.hasPayload, cells.header.kind.isIndex == isIndex else { return nil }
    rows.add(page, cells, table: table, kind: kind, notes: notes)
    if !cells.isConsistent, table > 0 {
      rows.addHidden(page, cells, table: table, kind: kind, notes: notes)
    }
    return rows
  }

  // MARK: Candidates

  /// Looks through the free bytes and keeps the hashes of what could be deleted rows.
  mutating func findCandidates() async throws(RasdError) {
    try await findDroppedTables()
    var trees = 0
    var orphans = 0
    for page in map.fates.indices where map.shapes[page] == .tableLeaf {
      if map.fates[page] == .tree { trees += 1 }
      if map.fates[page] == .orphan { orphans += 1 }
    }
    candidates.includesOrphans = orphans <= trees
    let plan = plan()
    var candidates = self.candidates
    var catalog = self.catalog
    try await source.forEachPage(workers: options.workers) {
      page -> (PageRows, [PageCarver.Find], UInt32)? in
      let carver = PageCarver(plan)
      let finds = page.standing == .disputed ? carver.rows(page) : carver.finds(page)
      guard !finds.isEmpty else { return nil }
      return (Self.hashes(page, finds, plan), finds, page.number)
    } consume: { (found: (PageRows, [PageCarver.Find], UInt32)?) throws(RasdError) in
      guard let (rows, finds, page) = found else { return }
      for hashes in rows.hashes { candidates.quick.insert(hashes.quick) }
      for key in rows.keys { candidates.keys.insert(key.key) }
      if candidates.pages.last != page { candidates.pages.append(page) }
      for case .carved(let cell) in finds.map(\.place) where cell.table < 0 {
        _ = catalog.unowned(columns: cell.columns, isIndex: false)
      }
    }
    try await source.forEachHistoricalPage(workers: options.workers) { page -> PageRows? in
      let finds = PageCarver(plan).rows(page)
      return finds.isEmpty ? nil : Self.hashes(page, finds, plan)
    } consume: { (rows: PageRows?) throws(RasdError) in
      guard let rows else { return }
      candidates.hasHistory = true
      for hashes in rows.hashes { candidates.quick.insert(hashes.quick) }
      for key in rows.keys { candidates.keys.insert(key.key) }
    }
    self.candidates = candidates
    self.catalog = catalog
  }

  private static func hashes(
    _ page: Page,
    _ finds: [PageCarver.Find],
    _ plan: SalvagePlan
  ) -> PageRows {
    var rows = PageRows(plan)
    for find in finds { rows.add(page, find, hashesOnly: true) }
    return rows
  }

  /// Delivers the candidates that are no copies.
  private func carved(
    _ names: [UInt64: String],
    _ living: LivingKeys,
    _ copied: Copies,
    _ ledger: inout SalvageLedger,
    _ sink: (RowBatch) throws(RasdError) -> Void
  ) async throws(RasdError) {
    let first = plan(names: names, living: living)
    var living = living
    var copied = copied
    var delivered = HashSet64()
    func deliver(_ found: PageRows?, orphans: Bool = false) throws(RasdError) {
      guard var rows = found else { return }
      let before = rows.hashes.count
      rows.filter { !(orphans ? copied.sound : copied.all).contains($0.whole) }
      let leftovers = before - rows.hashes.count
      rows.filter { delivered.insert($0.whole) }
      ledger.leftovers += leftovers
      ledger.duplicates += before - leftovers - rows.hashes.count
      ledger.undecodable += rows.undecodable
      ledger.implausible += rows.implausible
      ledger.candidates += before - rows.hashes.count + rows.undecodable + rows.implausible
      var batch = rows.batch
      ledger.deliver(&batch)
      if !batch.rows.isEmpty { try sink(batch) }
    }
    // Orphans before what may be a copy of them.
    let orphans = candidates.pages.filter { map.fate($0) == .orphan }
    try await source.forEach(of: orphans, workers: options.workers) { page in
      Self.rows(page, PageCarver(first).finds(page).filter { $0.kind == .orphan }, first)
    } consume: { (rows: PageRows?) throws(RasdError) in
      living.add(rows?.keys ?? [])
      for hashes in rows?.hashes ?? [] { copied.all.insert(RowHashes.partial(hashes.quick)) }
      try deliver(rows, orphans: true)
      for hashes in rows?.hashes ?? [] { copied.all.insert(hashes.bare) }
    }
    let rest = plan(names: names, living: living)
    try await source.forEach(of: candidates.pages, workers: options.workers) { page in
      let isOrphan = rest.map.fate(page.number) == .orphan
      let finds = PageCarver(rest).finds(page)
      return Self.rows(page, finds.filter { !isOrphan || $0.kind != .orphan }, rest)
    } consume: { (rows: PageRows?) throws(RasdError) in
      try deliver(rows)
    }
    for number in candidates.pages {
      for page in source.disputed(number) {
        try deliver(Self.rows(page, PageCarver(rest).rows(page), rest))
      }
    }
    guard candidates.hasHistory else { return }
    try await source.forEachHistoricalPage(workers: options.workers) { page in
      Self.rows(page, PageCarver(rest).rows(page), rest)
    } consume: { (rows: PageRows?) throws(RasdError) in
      try deliver(rows)
    }
  }

  private static func rows(
    _ page: Page,
    _ finds: [PageCarver.Find],
    _ plan: SalvagePlan
  ) -> PageRows? {
    guard !finds.isEmpty else { return nil }
    var rows = PageRows(plan)
    for find in finds { rows.add(page, find, hashesOnly: false) }
    return rows
  }

  /// Takes statements of tables that were dropped out of the free bytes of `sqlite_schema`.
  private mutating func findDroppedTables() async throws(RasdError) {
    let plan = plan()
    var entries: [SchemaEntry] = []
    for number in 1...max(1, map.count) where map.owner(number) == 1 {
      guard let page = source.current(number), let cells = LeafCells(page, spill: spill) else {
        continue
      }
      var carver = CellCarver(
        plan,
        kind: .tableLeaf,
        own: 0,
        others: [],
        rebuildable: 1,
        takesUnknown: false
      )
      var found: [CarvedCell] = []
      for region in cells.regions() { carver.carve(page.bytes.span, region.range, into: &found) }
      var rows = PageRows(plan)
      for cell in found {
        rows.add(
          page,
          PageCarver.Find(place: .carved(cell), kind: .gap, table: 0),
          hashesOnly: false
        )
      }
      entries += rows.schemaEntries
    }
    var known = Dictionary(grouping: catalog.tables.map(\.schema), by: \.name)
    for entry in entries where entry.kind == .table {
      guard let schema = TableParser.parse(entry.sql.span, name: entry.name),
        known[schema.name]?.contains(where: { $0.isSameTable(as: schema) }) != true
      else { continue }
      _ = catalog.add(schema, origin: .dropped)
      known[schema.name, default: []].append(schema)
    }
  }
}
