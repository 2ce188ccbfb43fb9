/// What is known of every page, a few bytes each, so that a file of any size fits in memory.
struct PageMap: Sendable {
  /// What a page turned out to be; each page has exactly one fate.
  enum Fate: UInt8, Hashable, Sendable, CaseIterable {
    case unknown
    case absent
    case zero
    /// A page of the tree that `owner` names.
    case tree
    /// A b-tree page that no tree reaches.
    case orphan
    /// A link of a live row's overflow chain.
    case overflow
    case freelistTrunk
    case freelistLeaf
    case pointerMap
    case lockByte
  }

  private(set) var shapes: [PageShape]
  private(set) var verdicts: [PageVerdict]
  var fates: [Fate]
  /// Index of the tree a page belongs to, 0 for none.
  var owners: [UInt16]
  /// First four bytes of the pages that are no b-tree pages.
  private(set) var links: [UInt32]
  private var childRanges: [UInt32: Range<Int>] = [:]
  private var childList: [UInt32] = []
  /// Overflow chains that begin in cells of current pages, in order of those pages.
  private(set) var heads: [OverflowHead] = []
  /// What pages would free if they were freelist trunks.
  private(set) var trunks: [UInt32: [UInt32]] = [:]
  private var trunkEntries = 0
  /// Children named by pages that fail their proof: their numbers may be garbage.
  var deferred: [Claim] = []
  /// Children that already have an owner, or are of the wrong kind: one of two parents lies.
  var disputes: [Claim] = []
  /// Children that are no b-tree pages.
  private var ruins: [Claim] = []

  let count: UInt32

  init(count: UInt32) {
    self.count = count
    let slots = Int(count) + 1
    shapes = Array(repeating: .absent, count: slots)
    verdicts = Array(repeating: .unproved, count: slots)
    fates = Array(repeating: .unknown, count: slots)
    owners = Array(repeating: 0, count: slots)
    links = Array(repeating: 0, count: slots)
  }

  /// Takes one page of the first pass, which come in the order of their numbers.
  mutating func add(_ survey: PageSurvey) {
    guard survey.isCurrent, survey.number >= 1, survey.number <= count else { return }
    let page = Int(survey.number)
    shapes[page] = survey.shape
    verdicts[page] = survey.verdict
    links[page] = survey.link
    // A page has one parent and a link one owner, so more of either is a forged file; these
    // bounds keep what it can make us hold below what its pages are worth.
    if childList.count + survey.children.count <= 2 * Int(count) + 64, !survey.children.isEmpty {
      childRanges[survey.number] = childList.count..<childList.count + survey.children.count
      childList.append(contentsOf: survey.children)
    }
    for first in survey.heads where heads.count <= Int(count) {
      heads.append(OverflowHead(page: survey.number, first: first))
    }
    if let trunk = survey.trunk, trunkEntries + trunk.count <= 2 * Int(count) + 64 {
      trunks[survey.number] = trunk
      trunkEntries += trunk.count
    }
  }

  func shape(_ page: UInt32) -> PageShape { page <= count ? shapes[Int(page)] : .absent }
  func verdict(_ page: UInt32) -> PageVerdict { page <= count ? verdicts[Int(page)] : .unproved }
  func fate(_ page: UInt32) -> Fate { page <= count ? fates[Int(page)] : .absent }
  func owner(_ page: UInt32) -> Int { page <= count ? Int(owners[Int(page)]) : 0 }
  func link(_ page: UInt32) -> UInt32 { page <= count ? links[Int(page)] : 0 }

  func children(_ page: UInt32) -> ArraySlice<UInt32> {
    childRanges[page].map { childList[$0] } ?? []
  }

  /// Interior pages, in order.
  var interiors: [UInt32] { childRanges.keys.sorted() }

  // MARK: Trees

  /// A child that a tree names but that was not simply given to it.
  struct Claim: Hashable, Sendable {
    let page: UInt32
    let owner: UInt16
  }

  /// Gives a tree every page below `root` that fits it and has no owner yet.
  ///
  /// What is in doubt is kept for later: `deferred`, `disputes` and `ruins`. Gives the number of
  /// children that could not be followed: out of place, owned, lost.
  mutating func claimTree(root: UInt32, owner: UInt16, isIndex: Bool, fate: Fate = .tree) -> Int {
    var lost = 0
    var open = [root]
    while let page = open.popLast() {
      guard page >= 1, page <= count, shapes[Int(page)] != .absent else {
        lost += 1
        continue
      }
      let shape = shapes[Int(page)]
      guard owners[Int(page)] == 0, fates[Int(page)] == .unknown,
        !shape.isBTree || shape.isIndex == isIndex
      else {
        lost += 1
        if owners[Int(page)] != owner, disputes.count < Self.maximumClaims {
          disputes.append(Claim(page: page, owner: owner))
        }
        continue
      }
      guard shape.isBTree else {
        lost += 1
        if ruins.count < Self.maximumClaims { ruins.append(Claim(page: page, owner: owner)) }
        continue
      }
      owners[Int(page)] = owner
      fates[Int(page)] = fate
      if verdicts[Int(page)].isFailed {
        for child in children(page) where deferred.count < Self.maximumClaims {
          deferred.append(Claim(page: child, owner: owner))
        }
      } else {
        open.append(contentsOf: children(page).reversed())
      }
    }
    return lost
  }

  /// A sound file has none of these; a ruin's worth are looked into, a forger's millions not.
  private static let maximumClaims = 100_000

  /// Gives a page and all below it that has the same owner to another tree.
  mutating func reassign(_ page: UInt32, to owner: UInt16) {
    let old = owners[Int(page)]
    var open = [page]
    while let page = open.popLast() {
      guard page <= count, owners[Int(page)] == old, old != owner else { continue }
      owners[Int(page)] = owner
      open.append(contentsOf: children(page))
    }
  }

  /// Gives trees the damaged pages that only they name and no overflow chain runs through.
  mutating func claimRuins() {
    for claim in ruins where fates[Int(claim.page)] == .unknown {
      owners[Int(claim.page)] = claim.owner
      fates[Int(claim.page)] = shapes[Int(claim.page)] == .zero ? .zero : .tree
    }
    ruins = []
  }

  // MARK: Overflow chains

  /// Follows every chain that begins in a page of this fate and claims its links.
  mutating func claimChains(of fate: Fate) {
    for i in heads.indices where fates[Int(heads[i].page)] == fate {
      heads[i].length = claimChain(from: heads[i].first)
    }
  }

  private mutating func claimChain(from first: UInt32) -> UInt32 {
    var page = first
    var length: UInt32 = 0
    while page > 1, page <= count, fates[Int(page)] == .unknown, owners[Int(page)] == 0,
      !shapes[Int(page)].isBTree
    {
      fates[Int(page)] = .overflow
      length += 1
      page = links[Int(page)]
    }
    return length
  }

  /// The links claimed for the chain that begins at `first` in a cell of `page`.
  func chainLength(page: UInt32, first: UInt32) -> Int {
    var low = 0
    var high = heads.count
    while low < high {
      let middle = (low + high) / 2
      if heads[middle].page < page { low = middle + 1 } else { high = middle }
    }
    while low < heads.count, heads[low].page == page {
      if heads[low].first == first { return Int(heads[low].length) }
      low += 1
    }
    return 0
  }
}

/// An overflow chain as a cell begins it.
struct OverflowHead: Hashable, Sendable {
  /// The page of the cell.
  let page: UInt32
  let first: UInt32
  /// Links that were found in order and belong to this chain alone.
  var length: UInt32 = 0
}
