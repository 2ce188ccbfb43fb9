package import RasdModel

/// Gets every decodable row out of a database's pages.
///
/// The pages are read in passes, so that memory does not grow with the file: a survey that
/// keeps a few bytes a page and gives each page its owner, a search of the free bytes that
/// keeps eight bytes a candidate, then the rows themselves. `survey` comes first, `rows` once
/// after it.
package struct Salvage {
  package struct Options: Sendable {
    /// Tasks that decode at the same time.
    package var workers = 2
    /// Whose rows these are; only keys of `kv`, `outbox` and `x_*` carry it.
    package var namespace: Namespace
    /// Keys of payload envelopes and sealed values.
    package var fieldKeys = FieldKeys()
    /// Whether deleted rows and history are looked for.
    package var carves = true
    /// Chunks that documents are joined from; fewer are for tests.
    ///
    /// In memory they are 12 MiB and, in chunks of 512 KiB, 128 GiB of documents.
    package var chunkLimit = 1 << 18

    package init(namespace: Namespace) { self.namespace = namespace }
  }

  package let source: PageSource
  let profiles: [Profile]
  let options: Options
  let spill: SpillRule
  var map: PageMap
  var catalog: Catalog
  var candidates = Candidates()
  var witness = KeyWitness()
  var documents: [DocumentTables] = []
  var chunks: ChunkIndex
  var ledger = SalvageLedger()

  package init(_ source: PageSource, profiles: [Profile], options: Options) {
    self.source = source
    self.profiles = profiles
    self.options = options
    chunks = ChunkIndex(limit: options.chunkLimit)
    map = PageMap(count: source.pageCount)
    catalog = Catalog(encoding: source.encoding ?? .utf8)
    spill = SpillRule(usable: source.usableSize)
  }

  /// The tables that rows may name, complete once `survey` is done.
  package var tables: [SalvageTable] { catalog.tables }

  /// What workers need to know; of the keys and names, what was found so far.
  func plan(
    for purpose: SalvagePlan.Purpose = .rows,
    map: PageMap? = nil,
    names: [UInt64: String] = [:],
    living: LivingKeys = LivingKeys()
  ) -> SalvagePlan {
    SalvagePlan(self, map: map ?? self.map, purpose: purpose, names: names, living: living)
  }

  /// Reads every page and works out whose it is, then looks for candidates in the free bytes.
  package mutating func survey() async throws(RasdError) {
    try await surveyPages()
    map.markFixed(source)
    if source.encoding == nil { catalog = Catalog(encoding: findEncoding()) }
    try await findSchema()
    claimTrees()
    map.claimChains(of: .tree)
    map.claimRuins()
    learnKeys()
    learnTypes()
    if let header = source.header, map.fate(1) == .tree {
      map.claimFreelist(first: header.firstFreelistTrunk)
    } else {
      map.findFreelist()
    }
    try await attributeOrphans()
    map.claimChains(of: .orphan)
    map.finish()
    try await findWitness()
    try await findChunks()
    if options.carves { try await findCandidates() }
  }

  private mutating func surveyPages() async throws(RasdError) {
    var map = self.map
    let count = source.pageCount
    let spill = spill
    try await source.forEachPage(workers: options.workers) { page in
      PageSurvey(page, pageCount: count, spill: spill)
    } consume: { (survey: PageSurvey) throws(RasdError) in
      map.add(survey)
    }
    self.map = map
  }

  private mutating func claimTrees() {
    for i in catalog.trees.indices.dropFirst(2) {
      let lost = map.claimTree(
        root: catalog.trees[i].root,
        owner: UInt16(i),
        isIndex: isIndex(tree: i)
      )
      catalog.setLost(lost, ofTree: i)
    }
    var attribution = Attribution(catalog, spill: spill)
    // What a damaged page names is believed if it holds what it should.
    while let claim = map.deferred.popLast() {
      guard map.fate(claim.page) == .unknown, fits(claim, &attribution) else { continue }
      _ = map.claimTree(
        root: claim.page,
        owner: claim.owner,
        isIndex: isIndex(tree: Int(claim.owner))
      )
    }
    for claim in map.disputes where map.fate(claim.page) == .tree {
      let holder = PageMap.Claim(page: claim.page, owner: UInt16(map.owner(claim.page)))
      if fits(claim, &attribution), !fits(holder, &attribution) {
        map.reassign(claim.page, to: claim.owner)
      }
    }
    map.disputes = []
  }

  private func isIndex(tree: Int) -> Bool {
    if case .table(let table) = catalog.trees[tree].content {
      catalog.tables[table].schema.isWithoutRowid
    } else {
      true
    }
  }

  /// Whether a page holds what the tree that claims it should hold.
  private func fits(_ claim: PageMap.Claim, _ attribution: inout Attribution) -> Bool {
    guard let page = source.current(claim.page) else { return false }
    switch (attribution.judge(page).verdict, catalog.trees[Int(claim.owner)].content) {
    case (.nothing, _): return true
    case (.table(let judged), .table(let table)):
      return judged == table
        || catalog.tables[judged].schema.stored.count == catalog.tables[table].schema.stored.count
          && catalog.tables[judged].origin != .schema
    case (.unknown(let columns), .table(let table)):
      return columns <= catalog.tables[table].schema.stored.count
    case (.index, .index): return true
    default: return false
    }
  }
}
