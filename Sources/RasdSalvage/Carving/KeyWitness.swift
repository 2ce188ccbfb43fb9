internal import RasdModel

/// The keys that a table's own index knows: a second witness of which rows are alive, and of
/// what their keys are.
///
/// Where pages prove nothing of themselves, a live row whose key the index does not know has
/// been altered. A carved row whose key it does know was never deleted.
struct KeyWitness: Sendable {
  private var keys = HashSet64()
  /// Tables whose index was read whole and in order.
  private(set) var complete: Set<Int> = []

  /// Above this many keys there is no witness: 16 MiB is what it may cost.
  static let limit = 1 << 20

  func isComplete(_ table: Int) -> Bool { complete.contains(table) }
  func knows(_ key: UInt64) -> Bool { keys.contains(key) }

  mutating func add(_ page: IndexKeys) {
    for key in page.keys where keys.count < Self.limit { keys.insert(key) }
  }

  mutating func finish(table: Int, isWhole: Bool) {
    if isWhole, keys.count < Self.limit { complete.insert(table) }
  }

  /// The hash of a key's fields as they are stored; `nil` where one is not at hand.
  static func key(
    of table: Int,
    _ fields: [RecordField],
    at places: [Int],
    _ payload: Span<UInt8>
  ) -> UInt64? {
    var hash = QuickHash(seed: UInt64(table) << 8 | 4)
    for place in places {
      guard place < fields.count, fields[place].end <= payload.count else { return nil }
      hash.mix(fields[place].type)
      hash.mix(payload.extracting(fields[place].offset..<fields[place].end))
    }
    return hash.value
  }
}

/// The keys of one index page.
struct IndexKeys: Sendable {
  var tree = 0
  var keys: [UInt64] = []
  /// Whether every cell was read, and they stand in the index's order.
  var isSound = true

  init(_ page: Page, _ plan: SalvagePlan, tree: Int) {
    self.tree = tree
    guard let (table, places) = plan.catalog.trees[tree].key,
      let cells = LeafCells(page, spill: plan.payloads.spill), cells.header.kind.isIndex
    else {
      isSound = false
      return
    }
    isSound = cells.isConsistent && !page.verdict.isFailed
    var fields: [RecordField] = []
    let patterns = plan.patterns(ofKey: table)
    for (_, cell) in cells.cells {
      let payload = page.bytes.span.extracting(
        cell.payloadStart..<cell.payloadStart + cell.local
      )
      guard RecordHeader.read(payload, size: cell.payloadSize, into: &fields) == .exact,
        let key = KeyWitness.key(of: table, fields, at: places, payload)
      else {
        isSound = false
        continue
      }
      keys.append(key)
      for (place, pattern) in zip(places, patterns) {
        guard let pattern, SerialType.isText(fields[place].type) else { continue }
        let text = payload.extracting(fields[place].offset..<fields[place].end)
        if !pattern.matches(text) { isSound = false }
      }
    }
  }
}

extension Salvage {
  /// Reads the indexes that hold whole keys.
  mutating func findWitness() async throws(RasdError) {
    var pages: [Int: [UInt32]] = [:]
    var chosen: [Int: Int] = [:]
    for (tree, description) in catalog.trees.enumerated() {
      guard let table = description.key?.table, chosen[table] == nil else { continue }
      chosen[table] = tree
    }
    let trees = Set(chosen.values)
    guard !trees.isEmpty else { return }
    for page in map.owners.indices where map.owners[page] > 1 {
      let tree = Int(map.owners[page])
      guard trees.contains(tree), map.shapes[page].isIndex else { continue }
      pages[tree, default: []].append(UInt32(page))
    }
    let plan = plan()
    var witness = KeyWitness()
    for (table, tree) in chosen.sorted(by: { $0.key < $1.key }) {
      var isWhole = catalog.trees[tree].lost == 0
      try await source.forEach(of: pages[tree] ?? [], workers: options.workers) { page in
        IndexKeys(page, plan, tree: tree)
      } consume: { (page: IndexKeys) throws(RasdError) in
        witness.add(page)
        if !page.isSound { isWhole = false }
      }
      witness.finish(table: table, isWhole: isWhole)
    }
    self.witness = witness
  }
}
