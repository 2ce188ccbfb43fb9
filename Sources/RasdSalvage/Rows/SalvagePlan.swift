internal import RasdModel

/// What is known once the pages have been surveyed; the same for every worker.
struct SalvagePlan: Sendable {
  let source: PageSource
  let map: PageMap
  let catalog: Catalog
  let options: Salvage.Options
  let candidates: Candidates
  let payloads: PayloadReader
  var witness = KeyWitness()
  /// Keys that carved rows have too and that were delivered as alive, and those of them whose
  /// grade lets them enter.
  var liveKeys = HashSet64()
  var goodKeys = HashSet64()
  /// For each table, the places of its key's columns among a record's fields; empty where the
  /// rowid is the key, since those are given again to other rows.
  let keyFields: [[Int]]
  /// What the rows are read for.
  var purpose = Purpose.rows
  /// The tables of documents that are put together from chunks, and those chunks.
  var documents: [DocumentTables] = []
  var chunks: ChunkIndex
  /// What submissions call their attachments.
  var names: [UInt64: String] = [:]
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

  init(
    source: PageSource,
    map: PageMap,
    catalog: Catalog,
    options: Salvage.Options,
    candidates: Candidates
  ) {
    self.candidates = candidates
    self.source = source
    self.map = map
    self.catalog = catalog
    self.options = options
    chunks = ChunkIndex(limit: options.chunkLimit)
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

  mutating func add(_ keys: [LivingKey]) {
    for key in keys {
      liveKeys.insert(key.key)
      if key.isGood { goodKeys.insert(key.key) }
    }
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
