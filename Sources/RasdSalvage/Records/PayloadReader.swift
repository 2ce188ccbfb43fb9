/// Puts a cell's payload together from its page and its overflow chain.
struct PayloadReader: Sendable {
  let source: PageSource
  let spill: SpillRule

  init(_ source: PageSource) {
    self.source = source
    spill = SpillRule(usable: source.usableSize)
  }

  /// What became of one payload.
  struct Result {
    /// Bytes that were put into the arena; fewer than the payload has where its chain broke.
    var available: Int
    /// The worst verdict among the pages of the chain.
    var verdict: PageVerdict
    /// Whether some of the payload could not be had from its pages.
    var isBroken: Bool
  }

  /// Appends the payload of `cell` to `arena`, following as many links of its chain as belong
  /// to it by the page map.
  func append(
    _ cell: Cell,
    of page: Page,
    links: Int,
    to arena: inout [UInt8]
  ) -> Result {
    let local = cell.payloadStart..<cell.payloadStart + cell.local
    var result = Result(available: cell.local, verdict: page.verdict, isBroken: false)
    result.isBroken = page.unreadable.contains { $0.overlaps(local) }
    arena.append(contentsOf: page.bytes[local])
    guard cell.spills else { return result }
    var next = cell.overflow
    var rest = cell.payloadSize - cell.local
    for _ in 0..<links where rest > 0 {
      guard let link = source.page(next, beside: page) else { break }
      let count = min(rest, spill.perPage)
      // A page of zeros is a lost link unless zeros lead up to it.
      if link.isZero, !arena.suffix(8).allSatisfy({ $0 == 0 }) { break }
      if !link.unreadable.isEmpty, link.unreadable.contains(where: { $0.overlaps(0..<4 + count) }) {
        break
      }
      arena.append(contentsOf: link.bytes[4..<4 + count])
      if link.verdict.isFailed || result.verdict == .intact && link.verdict == .unproved {
        result.verdict = link.verdict
      }
      rest -= count
      result.available += count
      next = link.bytes.span.u32(0)
      if rest > 0, next == 0 { break }
    }
    if rest > 0 { result.isBroken = true }
    return result
  }
}
