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

  mutating func add(_ found: [UInt64]) {
    for key in found where keys.count < Self.limit { keys.insert(key) }
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
  private(set) var keys: [UInt64] = []
  /// Whether every cell was read, and they stand in the index's order.
  private(set) var isSound = false

  init(_ page: Page, _ plan: SalvagePlan, of table: Int, at places: [Int]) {
    guard let cells = LeafCells(page, spill: plan.payloads.spill), cells.header.kind.isIndex else {
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
    var chosen: [Int: (tree: Int, table: Int, key: [Int])] = [:]
    var asked: Set<Int> = []
    for (tree, description) in catalog.trees.enumerated() {
      guard case .index(let index) = description.content, index >= 0,
        let key = catalog.indexes[index].key
      else { continue }
      let table = catalog.indexes[index].table
      if asked.insert(table).inserted { chosen[tree] = (tree, table, key) }
    }
    var pages: [Int: [UInt32]] = [:]
    for page in map.owners.indices where map.owners[page] > 1 {
      let tree = Int(map.owners[page])
      guard chosen[tree] != nil, map.shapes[page].isIndex else { continue }
      pages[tree, default: []].append(UInt32(page))
    }
    let plan = plan()
    for (tree, table, key) in chosen.values.sorted(by: { $0.table < $1.table }) {
      var isWhole = catalog.trees[tree].lost == 0
      try await source.forEach(of: pages[tree] ?? [], workers: options.workers) { page in
        IndexKeys(page, plan, of: table, at: key)
      } consume: { (page: IndexKeys) throws(RasdError) in
        witness.add(page.keys)
        if !page.isSound { isWhole = false }
      }
      witness.finish(table: table, isWhole: isWhole)
    }
    try await findStrayWitness()
  }
}
