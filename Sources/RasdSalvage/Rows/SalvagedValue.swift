/// Bytes within a batch's arena.
package struct ByteRange: Hashable, Sendable {
  package var start: Int
  package var count: Int

  package init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }

  package var range: Range<Int> { start..<start + count }
}

/// One column's value as it was recovered; its bytes lie in the batch's arena.
package enum SalvagedValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  /// TEXT, as UTF-8 whatever the database's encoding; NULs included.
  case text(ByteRange)
  case blob(ByteRange)
  /// TEXT that does not decode, as its stored bytes.
  case brokenText(ByteRange)
  /// Not recovered: the row is `partial`.
  case absent
}
