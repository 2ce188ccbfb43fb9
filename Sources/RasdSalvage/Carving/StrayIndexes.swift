internal import RasdModel

/// An index page that no tree reaches, and the indexes that its entries could be of.
struct StrayIndexPage: Sendable {
  /// What an index would say if the page were its.
  struct Reading: Sendable {
    let index: Int
    /// Hashes of the entries, as their rows would have them.
    private(set) var entries: [UInt64] = []
    /// Hashes of the keys that they hold.
    private(set) var keys: [UInt64] = []
    private(set) var fits = 0

    init(index: Int) { self.index = index }

    fileprivate mutating func add(
      _ fields: [RecordField],
      _ payload: Span<UInt8>,
      _ catalog: Catalog
    ) {
      let entry = catalog.indexes[index]
      guard fields.count == entry.shape.fields.count,
        entry.shape.score(fields, payload) != nil
      else { return }
      fits += 1
      if let hash = entry.hash(ofEntry: fields, payload, index) { entries.append(hash) }
      if let key = entry.key,
        let hash = KeyWitness.key(of: entry.table, fields, at: key, payload)
      {
        keys.append(hash)
      }
    }
  }

  private(set) var readings: [Reading] = []

  init(_ page: Page, _ strays: StrayIndexes, _ plan: SalvagePlan) {
    guard let cells = LeafCells(page, spill: plan.payloads.spill), cells.header.kind.isIndex else {
      return
    }
    var fields: [RecordField] = []
    var readings = strays.indexes.map { Reading(index: $0) }
    var read = 0
    for (_, cell) in cells.cells {
      let payload = page.bytes.span.extracting(
        cell.payloadStart..<cell.payloadStart + cell.local
      )
      guard RecordHeader.read(payload, size: cell.payloadSize, into: &fields) == .exact else {
        continue
      }
      read += 1
      for i in readings.indices { readings[i].add(fields, payload, plan.catalog) }
    }
    // An entry or two may be damaged.
    self.readings = readings.filter { 2 * $0.fits > read }
  }

  /// The readings that the rows bear out; where they bear out none, those that they do not gainsay.
  ///
  /// An index of another column may list keys of this table, of deleted rows too: only its own
  /// lists them with the rowids that they have.
  func believed(_ strays: StrayIndexes, _ catalog: Catalog) -> [Reading] {
    let counts = readings.map { reading in reading.entries.count { strays.met.contains($0) } }
    let best = counts.max() ?? 0
    return zip(readings, counts).filter { reading, count in
      best > 0
        ? count == best
        : catalog.indexes[reading.index].row == nil
          || !reading.keys.contains { strays.met.contains($0) }
    }.map(\.0)
  }
}

/// The indexes that pages without a tree may be of, and which of their entries have rows.
struct StrayIndexes: Sendable {
  /// Indexes whose tree is not known, or lost pages.
  let indexes: [Int]
  /// Those of each table.
  let ofTable: [Int: [Int]]
  private var wanted = HashSet64()
  private(set) var met = HashSet64()

  init(_ catalog: Catalog, _ witness: KeyWitness) {
    var whole: Set<Int> = []
    for tree in catalog.trees where tree.lost == 0 {
      if case .index(let index) = tree.content { whole.insert(index) }
    }
    indexes = catalog.indexes.indices.filter { index in
      let entries = catalog.indexes[index]
      return !whole.contains(index) && (entries.row != nil || entries.key != nil)
        && !(entries.key != nil && witness.isComplete(entries.table))
    }
    ofTable = Dictionary(grouping: indexes) { catalog.indexes[$0].table }
  }

  mutating func want(_ page: StrayIndexPage) {
    for reading in page.readings where wanted.count < KeyWitness.limit {
      for hash in reading.entries { wanted.insert(hash) }
      for hash in reading.keys { wanted.insert(hash) }
    }
  }

  mutating func meet(_ hashes: [UInt64]) {
    for hash in hashes { met.insert(hash) }
  }

  /// What the rows of a page say of entries and keys that pages without a tree list.
  func testimony(_ page: Page, _ plan: SalvagePlan) -> [UInt64] {
    guard let table = plan.table(of: page.number), let indexes = ofTable[table],
      let cells = LeafCells(page, spill: plan.payloads.spill), cells.header.kind.hasPayload
    else { return [] }
    var found: [UInt64] = []
    var fields: [RecordField] = []
    func take(_ hash: UInt64?) {
      if let hash, wanted.contains(hash) { found.append(hash) }
    }
    for (_, cell) in cells.cells {
      let payload = page.bytes.span.extracting(
        cell.payloadStart..<cell.payloadStart + cell.local
      )
      guard RecordHeader.read(payload, size: cell.payloadSize, into: &fields) != .none else {
        continue
      }
      let places = plan.keyFields[table]
      if !places.isEmpty { take(KeyWitness.key(of: table, fields, at: places, payload)) }
      for index in indexes {
        take(plan.catalog.indexes[index].hash(ofRow: fields, payload, rowid: cell.rowid, index))
      }
    }
    return found
  }
}

extension Salvage {
  /// Lets index pages testify that no tree reaches: where the schema is lost that is all of them.
  mutating func findStrayWitness() async throws(RasdError) {
    let pages = map.fates.indices.filter {
      map.fates[$0] == .orphan && map.shapes[$0].isIndex && map.owners[$0] == 0
    }.map { UInt32($0) }
    let plan = plan()
    var strays = StrayIndexes(catalog, witness)
    guard !pages.isEmpty, strays.indexes.contains(where: { catalog.indexes[$0].key != nil })
    else { return }
    let listing = strays
    try await source.forEach(of: pages, workers: options.workers) { page in
      StrayIndexPage(page, listing, plan)
    } consume: { (page: StrayIndexPage) throws(RasdError) in
      strays.want(page)
    }
    let rows = (1...max(1, map.count)).filter { page in
      plan.table(of: page).map { listing.ofTable[$0] != nil } ?? false
    }
    let asking = strays
    try await source.forEach(of: rows, workers: options.workers) { page in
      asking.testimony(page, plan)
    } consume: { (found: [UInt64]) throws(RasdError) in
      strays.meet(found)
    }
    let judging = strays
    try await source.forEach(of: pages, workers: options.workers) { page in
      StrayIndexPage(page, judging, plan).believed(judging, plan.catalog)
    } consume: { (readings: [StrayIndexPage.Reading]) throws(RasdError) in
      for reading in readings { witness.add(reading.keys) }
    }
  }
}
