internal import RasdModel

/// What is known once the pages have been surveyed; one object, the same for every worker and page:
/// to copy it for each would cost more than to read a row.
final class SalvagePlan: Sendable {
  let source: PageSource
  let map: PageMap
  let catalog: Catalog
  let options: Salvage.Options
  let candidates: Candidates
  let payloads: PayloadReader
  let witness: KeyWitness
  let living: LivingKeys
  /// For each table, the places of its key's columns among a record's fields; empty where the
  /// rowid is the key, since those are given again to other rows.
  let keyFields: [[Int]]
  /// What the rows are read for.
  let purpose: Purpose
  /// The tables of documents that are put together from chunks, and those chunks.
  let documents: [DocumentTables]
  let chunks: ChunkIndex
  /// What submissions call their attachments.
  let names: [UInt64: String]
  /// For each table, how much its shape says.
  let strengths: [Int]
  /// Tables that are looked for in free bytes, those first that say most.
  let carved: [Int]
  /// Tells whose the rows of a page are by their shape.
  let attribution: Attribution
  /// How many tables are known from the free bytes alone.
  let dropped: Int
  /// For each table, its columns' names as they stand in JSON.
  let labels: [[[UInt8]]]

  /// Tables that are tried at every offset; a schema of thousands would take for ever.
  private static let maximumCarved = 64

  enum Purpose: Hashable, Sendable {
    case rows
    /// Only to learn where the bytes of chunks lie: the rows get no text.
    case chunks
  }

  /// `map`: the pages as they are known so far.
  init(
    _ salvage: Salvage,
    map: PageMap,
    purpose: Purpose,
    names: [UInt64: String],
    living: LivingKeys
  ) {
    source = salvage.source
    self.map = map
    catalog = salvage.catalog
    options = salvage.options
    candidates = salvage.candidates
    witness = salvage.witness
    documents = salvage.documents
    chunks = salvage.chunks
    self.purpose = purpose
    self.names = names
    self.living = living
    let catalog = salvage.catalog
    payloads = PayloadReader(source)
    keyFields = catalog.tables.map { table in
      guard table.schema.rowidColumn == nil else { return [] }
      return table.schema.primaryKey.compactMap { table.schema.stored.firstIndex(of: $0) }
    }
    attribution = Attribution(catalog, spill: payloads.spill)
    let strengths = catalog.shapes.map(\.strength)
    self.strengths = strengths
    carved = Array(
      catalog.tables.indices.filter { $0 > 0 && catalog.tables[$0].origin != .shape }
        .sorted { (-strengths[$0], $0) < (-strengths[$1], $1) }.prefix(Self.maximumCarved)
    )
    dropped = catalog.tables.count { $0.origin == .dropped }
    labels = catalog.tables.map { RowJSON.names($0.columns) }
  }

  var chunkReader: ChunkReader {
    ChunkReader(source: source, map: map, catalog: catalog, tables: documents)
  }

  /// What the columns of a table's key look like.
  func patterns(ofKey table: Int) -> [ValuePattern?] {
    guard catalog.encoding == .utf8 else { return [] }
    let schema = catalog.tables[table].schema
    return schema.primaryKey.map { schema.columns[$0].pattern }
  }

  /// The table whose rows a page holds; `nil` for indexes, free pages and the rest.
  func table(of page: UInt32) -> Int? {
    if case .table(let table) = catalog.trees[map.owner(page)].content { table } else { nil }
  }
}

/// Keys that carved rows have too and that were delivered as alive.
struct LivingKeys: Sendable {
  private(set) var all = HashSet64()
  /// Those whose grade lets them enter.
  private(set) var good = HashSet64()

  mutating func add(_ keys: [LivingKey]) {
    for key in keys {
      all.insert(key.key)
      if key.isGood { good.insert(key.key) }
    }
  }
}

/// The key of a row that was delivered as alive, and whether its grade lets it enter.
struct LivingKey: Hashable, Sendable {
  let key: UInt64
  let isGood: Bool
}
