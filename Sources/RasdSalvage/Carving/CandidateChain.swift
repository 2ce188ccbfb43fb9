/// The overflow chain of a row that is no longer, or not yet, live.
struct CandidateChain {
  let plan: SalvagePlan
  /// The page of the row's cell.
  let page: Page
  /// How many links the page map gives to the row; `nil` where it gives none, and what is free tells.
  var links: Int?

  init(_ plan: SalvagePlan, _ page: Page) {
    self.plan = plan
    self.page = page
  }

  /// Appends what is left of a payload of `size` bytes, which begins at `start` of the arena.
  ///
  /// A row of history is followed through the pages that stood beside its own; what is free today
  /// says nothing of them.
  func follow(
    from first: UInt32,
    _ start: Int,
    _ size: Int,
    _ arena: inout [UInt8],
    _ notes: inout RowNotesSet,
    _ verdict: inout PageVerdict
  ) {
    var rest = size - (arena.count - start)
    guard rest > 0 else { return }
    let spill = plan.payloads.spill
    let needed = (rest + spill.perPage - 1) / spill.perPage
    let isHistory = page.standing == .history
    var (left, isWhole) =
      links.map { ($0, $0 >= needed) }
      ?? (isHistory ? (needed, true) : plan.map.freeChain(from: first, needed: needed))
    if links == nil, !isHistory, !isWhole, let old = beneath(first, needed) {
      for link in old {
        let count = min(rest, spill.perPage)
        arena.append(contentsOf: link.bytes[4..<4 + count])
        if link.verdict.isFailed { verdict = link.verdict }
        rest -= count
      }
      return
    }
    var next = first
    while left > 0, next > 1 {
      guard let link = plan.source.page(next, beside: page),
        !isHistory || LeafCells(link, spill: spill) == nil
      else { break }
      let count = min(rest, spill.perPage)
      arena.append(contentsOf: link.bytes[4..<4 + count])
      if link.verdict.isFailed { verdict = link.verdict }
      rest -= count
      next = link.bytes.span.u32(0)
      left -= 1
    }
    if isHistory, next != 0 { isWhole = false }
    if rest > 0 || !isWhole { notes.insert(.chainBroken) }
  }

  /// The whole chain as the database file still holds it where its pages were written again in the
  /// WAL.
  private func beneath(_ first: UInt32, _ needed: Int) -> [Page]? {
    var pages: [Page] = []
    var next = first
    while pages.count < needed, next > 1, let link = plan.source.database(next) {
      let fate = plan.map.fate(next)
      guard plan.source.overlay.newest[next] != nil || fate == .unknown || fate == .freelistLeaf,
        LeafCells(link, spill: plan.payloads.spill) == nil
      else { return nil }
      pages.append(link)
      next = link.bytes.span.u32(0)
    }
    return pages.count == needed && next == 0 ? pages : nil
  }
}
