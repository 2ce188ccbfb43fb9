internal import RasdModel

extension Salvage {
  /// Reads `sqlite_schema` from its tree, and where that has lost pages from any page whose
  /// rows can only be its.
  mutating func findSchema() async throws(RasdError) {
    catalog.setLost(map.claimTree(root: 1, owner: 1, isIndex: false), ofTree: 1)
    let isDamaged =
      catalog.trees[1].lost > 0 || map.shape(1) != .tableLeaf && map.shape(1) != .tableInterior
    if isDamaged { try await findSchemaPages() }
    var seen: Set<String> = []
    let entries = schemaEntries().filter { seen.insert("\($0.kind) \($0.name)").inserted }
    catalog.profile = profile(of: entries, isDamaged: isDamaged)
    if catalog.profile == nil, isDamaged || !entries.contains(where: { $0.kind == .table }) {
      catalog.profile = try await profileByPages()
    }
    catalog.add(entries)
    fillUnparsed()
    if let profile = catalog.profile { catalog.addMissing(of: profile) }
  }

  /// Gives leaves that hold rows of `sqlite_schema` to its tree.
  private mutating func findSchemaPages() async throws(RasdError) {
    let base = Attribution(catalog, spill: spill)
    let leaves = (1...max(1, map.count)).filter {
      map.shape($0) == .tableLeaf && map.fate($0) == .unknown
    }
    var found: [UInt32] = []
    try await source.forEach(of: leaves, workers: options.workers) { page -> UInt32? in
      var attribution = base
      return attribution.judge(page).verdict == .table(0) ? page.number : nil
    } consume: { (page: UInt32?) throws(RasdError) in
      if let page { found.append(page) }
    }
    for page in found { _ = map.claimTree(root: page, owner: 1, isIndex: false, fate: .orphan) }
  }

  private func schemaEntries() -> [SchemaEntry] {
    var map = map
    map.claimChains(of: .tree)
    map.claimChains(of: .orphan)
    let plan = plan(map: map)
    var entries: [SchemaEntry] = []
    for number in 1...max(1, map.count) where map.owner(number) == 1 {
      guard map.shape(number) == .tableLeaf, let page = source.current(number),
        let cells = LeafCells(page, spill: spill)
      else { continue }
      var rows = PageRows(plan)
      rows.add(page, cells, table: 0, kind: .live, notes: [])
      entries.append(contentsOf: rows.schemaEntries)
    }
    return entries
  }

  /// Where a statement could not be read, a row says how many columns there are.
  private mutating func fillUnparsed() {
    for table in catalog.tables.indices where catalog.tables[table].schema.columns.isEmpty {
      var page = catalog.tables[table].root
      for _ in 0..<64 {
        guard let first = map.children(page).first else { break }
        page = first
      }
      guard let leaf = source.current(page), let cells = LeafCells(leaf, spill: spill),
        let cell = cells.cells.first?.cell
      else { continue }
      var fields: [RecordField] = []
      let payload = cell.payloadStart..<cell.payloadStart + cell.local
      _ = RecordHeader.read(
        leaf.bytes.span.extracting(payload),
        size: cell.payloadSize,
        into: &fields
      )
      catalog.setColumns(of: table, count: fields.count, isIndex: cells.header.kind.isIndex)
    }
  }
}
