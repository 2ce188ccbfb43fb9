/// Where one cell of a b-tree page lies and what its first varints say.
struct Cell: Hashable, Sendable {
  /// Offset of its first byte in the page.
  var start: Int
  /// Left child, of interior cells, else 0.
  var leftChild: UInt32 = 0
  /// Bytes of the whole payload, overflow included; 0 in a table's interior.
  var payloadSize = 0
  /// Key of a table's cell, else 0.
  var rowid: Int64 = 0
  /// Offset of the payload in the page.
  var payloadStart: Int
  /// Payload bytes in the page.
  var local = 0
  /// First overflow page, or 0.
  var overflow: UInt32 = 0
  /// Offset after its last byte; a cell takes four bytes at least.
  var end: Int

  var spills: Bool { overflow != 0 }

  /// Reads the cell at `start`; `nil` where it does not lie wholly before `limit`.
  init?(_ page: Span<UInt8>, at start: Int, kind: BTreeKind, spill: SpillRule, limit: Int) {
    guard start >= 0, limit <= page.count else { return nil }
    var at = start
    if kind.isInterior {
      guard at + 4 <= limit else { return nil }
      leftChild = page.u32(at)
      at += 4
    }
    if kind.hasPayload {
      guard let size = Varint.read(page, at: at, end: limit),
        size.value <= UInt64(SerialType.maximumLength)
      else { return nil }
      payloadSize = Int(size.value)
      at = size.next
    }
    if !kind.isIndex {
      guard let key = Varint.read(page, at: at, end: limit) else { return nil }
      rowid = Int64(bitPattern: key.value)
      at = key.next
    }
    self.start = start
    payloadStart = at
    if kind.hasPayload {
      local = spill.local(payloadSize, index: kind.isIndex)
      at += local
      if local < payloadSize {
        guard at + 4 <= limit else { return nil }
        overflow = page.u32(at)
        guard overflow > 1 else { return nil }
        at += 4
      }
    }
    end = max(at, start + 4)
    guard end <= limit else { return nil }
  }
}
