internal import RasdModel

extension Salvage {
  /// Pages of a group that are asked whose it is.
  private static let voters = 24

  /// Gives b-tree pages that no tree reaches to the table that their records are of.
  mutating func attributeOrphans() async throws(RasdError) {
    let groups = orphanGroups()
    guard !groups.isEmpty else { return }
    var ballots: [[Attribution.Ballot]] = Array(repeating: [], count: groups.count)
    var groupOf: [Int] = []
    var asked: [UInt32] = []
    for (i, group) in groups.enumerated() {
      let leaves = group.pages.filter { !map.shape($0).isInterior }
      let voters = leaves.isEmpty ? group.pages : leaves
      let step = max(1, voters.count / Self.voters)
      for at in stride(from: 0, to: voters.count, by: step) {
        asked.append(voters[at])
        groupOf.append(i)
      }
    }
    let base = Attribution(catalog, spill: spill)
    var next = 0
    try await source.forEach(of: asked, workers: options.workers) { page in
      var attribution = base
      return attribution.judge(page)
    } consume: { (ballot: Attribution.Ballot) throws(RasdError) in
      ballots[groupOf[next]].append(ballot)
      next += 1
    }
    for (group, votes) in zip(groups, ballots) { give(group, Attribution.tally(votes)) }
  }

  private struct Group {
    let pages: [UInt32]
    let isIndex: Bool
    let parent: UInt32?
  }

  /// B-tree pages without an owner, each with all that lies below it.
  private func orphanGroups() -> [Group] {
    var isChild = Set<UInt32>()
    let interiors = map.interiors.filter { map.fate($0) == .unknown }
    for page in interiors {
      for child in map.children(page) where child != page { isChild.insert(child) }
    }
    var taken = Set<UInt32>()
    var groups: [Group] = []
    func collect(_ root: UInt32) {
      let isIndex = map.shape(root).isIndex
      var pages: [UInt32] = []
      var open = [root]
      while let page = open.popLast() {
        guard map.fate(page) == .unknown, map.shape(page).isBTree,
          map.shape(page).isIndex == isIndex, taken.insert(page).inserted
        else { continue }
        pages.append(page)
        open.append(contentsOf: map.children(page).reversed())
      }
      guard !pages.isEmpty else { return }
      let parent = PointerMap.parent(of: root, map, source)
      groups.append(Group(pages: pages, isIndex: isIndex, parent: parent))
    }
    for page in interiors where !isChild.contains(page) { collect(page) }
    for number in 1...max(1, map.count) where map.fate(number) == .unknown {
      if map.shape(number).isBTree, !taken.contains(number) { collect(number) }
    }
    return groups
  }

  private mutating func give(_ group: Group, _ verdict: Attribution.Verdict) {
    var owner: UInt16 = 0
    // What the pointer map says goes before what the records look like, if they agree on the
    // kind of page.
    if let parent = group.parent, map.owner(parent) > 1 {
      let tree = catalog.trees[map.owner(parent)]
      if case .table(let table) = tree.content, isSame(verdict, table) {
        owner = catalog.orphanTree(of: table)
      }
    }
    if owner == 0 {
      switch verdict {
      case .table(0): owner = 1
      case .table(let table): owner = catalog.orphanTree(of: table)
      case .unknown(let columns):
        owner = catalog.orphanTree(of: catalog.unowned(columns: columns, isIndex: group.isIndex))
      case .index, .nothing: owner = 0
      }
    }
    for page in group.pages {
      map.fates[Int(page)] = .orphan
      map.owners[Int(page)] = owner
    }
  }

  /// Whether records judged so may be rows of this table.
  private func isSame(_ verdict: Attribution.Verdict, _ table: Int) -> Bool {
    switch verdict {
    case .table(let found):
      found == table
        || catalog.tables[found].schema.stored.count == catalog.tables[table].schema.stored.count
    case .unknown(let columns): columns <= catalog.tables[table].schema.stored.count
    case .index, .nothing: false
    }
  }
}
