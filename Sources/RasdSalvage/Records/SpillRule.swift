/// How much of a payload stays in its cell and how much goes to overflow pages (file format,
/// §1.6), exact for any number of reserved bytes.
struct SpillRule: Hashable, Sendable {
  /// Page size less the reserved bytes.
  let usable: Int

  private var minimum: Int { (usable - 12) * 32 / 255 - 23 }

  /// Largest payload that stays whole in a cell.
  @inline(__always)
  func largest(index: Bool) -> Int { index ? (usable - 12) * 64 / 255 - 23 : usable - 35 }

  /// Bytes of the payload that lie in the cell itself.
  @inline(__always)
  func local(_ payload: Int, index: Bool) -> Int {
    let largest = largest(index: index)
    if payload <= largest { return payload }
    let kept = minimum + (payload - minimum) % (usable - 4)
    return kept <= largest ? kept : minimum
  }

  /// Payload bytes an overflow page carries after the number of the next.
  var perPage: Int { usable - 4 }

  /// Overflow pages that the rest of a payload fills.
  func pages(_ payload: Int, index: Bool) -> Int {
    let rest = payload - local(payload, index: index)
    return (rest + perPage - 1) / perPage
  }
}
