extension CellCarver {
  /// A freeblock's header as it lies over the first four bytes of a deleted cell (file format,
  /// §1.6): where the next one begins, and its own size.
  struct Freeblock {
    let end: Int

    init?(_ page: Span<UInt8>, _ at: Int, usable: Int) {
      guard at + 4 <= page.count else { return nil }
      let next = page.u16(at)
      let size = page.u16(at + 2)
      // Freeblocks are chained in the order of their offsets.
      guard size >= 4, at + size <= usable, next == 0 || next >= at + size && next + 4 <= usable
      else { return nil }
      end = at + size
    }
  }

  /// What was overwritten: the varints before the record's types, and perhaps the first type.
  struct Prefix {
    /// Bytes from the cell's first to the record's first type.
    let length: Int
    /// Types whose first byte lies in the first four.
    let lost: Int
  }

  /// Fields that must say something before a record is believed whose size nothing confirms.
  static let strong = 3

  /// The cell at `at` if its first four bytes are a freeblock's header.
  mutating func rebuilt(_ page: Span<UInt8>, _ at: Int, _ limit: Int) -> CarvedCell? {
    guard let block = Freeblock(page, at, usable: spill.usable), !kind.isInterior else {
      return nil
    }
    let end = min(block.end, limit)
    var best: (cell: CarvedCell, rank: Int)?
    for table in tables.prefix(rebuildable) {
      let shape = catalog.shapes[table]
      guard shape.isIndex == kind.isIndex, shape.fields.count >= 2,
        table == own && freeblocks.contains(at) || strengths[table] >= Self.strong
      else { continue }
      // Payload size 1 to 3 bytes, rowid 1 to 9, header size 1 or 2.
      for length in 3...(kind.isIndex ? 5 : 13) {
        let prefix = Prefix(length: length, lost: length == 3 ? 1 : 0)
        guard let (cell, rank) = rebuilt(page, at, end, block.end, prefix, table, shape),
          rank > best?.rank ?? 0
        else { continue }
        best = (cell, rank)
      }
      if best != nil { break }
      if kind.isIndex, table == own, freeblocks.contains(at),
        let cell = withoutTwoTypes(page, at, end, block.end, table, shape)
      {
        return cell
      }
    }
    return best?.cell
  }

  private mutating func rebuilt(
    _ page: Span<UInt8>,
    _ at: Int,
    _ end: Int,
    _ blockEnd: Int,
    _ prefix: Prefix,
    _ table: Int,
    _ shape: RowShape
  ) -> (CarvedCell, Int)? {
    if prefix.lost == 0 {
      guard let (types, body) = types(page, at + prefix.length, end, shape.fields.count) else {
        return nil
      }
      return candidate(page, at, end, blockEnd, prefix, types, body, table, shape)
    }
    var best: (CarvedCell, Int)?
    // Of a type of two bytes the second is still there.
    for bytes in 1...2 {
      let next = at + prefix.length + bytes
      guard let (rest, body) = types(page, next, end, shape.fields.count - 1) else { continue }
      let room = end - body - rest.reduce(0) { $0 + (SerialType.length($1) ?? 0) }
      let last = bytes == 2 ? page[next - 1] : nil
      for first in shape.fields[0].lostTypes(of: bytes, last: last, room: room) {
        let types = [first] + rest
        guard
          let found = candidate(page, at, end, blockEnd, prefix, types, body, table, shape),
          found.1 > best?.1 ?? 0
        else { continue }
        best = found
      }
    }
    return best
  }

  /// Reads so many types, and where they end.
  func types(
    _ page: Span<UInt8>,
    _ at: Int,
    _ end: Int,
    _ count: Int
  ) -> (types: [UInt64], end: Int)? {
    guard at <= end else { return nil }
    var types: [UInt64] = []
    var next = at
    for _ in 0..<count {
      guard let type = Varint.read(page, at: next, end: end), SerialType.length(type.value) != nil
      else { return nil }
      types.append(type.value)
      next = type.next
    }
    return (types, next)
  }

  /// The cell that these types make, if it fits, and how sure of it to be.
  private mutating func candidate(
    _ page: Span<UInt8>,
    _ at: Int,
    _ end: Int,
    _ blockEnd: Int,
    _ prefix: Prefix,
    _ types: [UInt64],
    _ body: Int,
    _ table: Int,
    _ shape: RowShape
  ) -> (CarvedCell, Int)? {
    guard let (cell, score) = cell(page, at, end, prefix, types, body, table, shape) else {
      return nil
    }
    let cellEnd = cell.range.upperBound
    if cellEnd == blockEnd { return (cell, score + 1_001) }
    guard strengths[table] >= Self.strong else { return nil }
    if isBoundary(page, cellEnd, end) { return (cell, score + 501) }
    // A guessed first type needs something that says where the cell ends.
    return prefix.lost > 0 && !shape.fields[0].isRowid ? nil : (cell, score + 1)
  }

  /// The cell that these types make, if it fits the page and the table, with its score.
  mutating func cell(
    _ page: Span<UInt8>,
    _ at: Int,
    _ end: Int,
    _ prefix: Prefix,
    _ types: [UInt64],
    _ body: Int,
    _ table: Int,
    _ shape: RowShape
  ) -> (CarvedCell, score: Int)? {
    var header: [UInt8] = []
    for type in types { Varint.append(type, to: &header) }
    let headerSize = header.count + (header.count + 1 < 0x80 ? 1 : 2)
    var size = headerSize
    for type in types { size += SerialType.length(type) ?? 0 }
    guard size <= SerialType.maximumLength else { return nil }
    var full: [UInt8] = []
    Varint.append(UInt64(headerSize), to: &full)
    guard fits(page, at, prefix, size: size, sizeOfHeaderSize: full.count, headerSize) else {
      return nil
    }
    full.append(contentsOf: header)
    let local = spill.local(size, index: kind.isIndex)
    guard local >= headerSize else { return nil }
    let bodyEnd = body + local - headerSize
    let cellEnd = max(at + 4, bodyEnd + (local < size ? 4 : 0))
    guard cellEnd <= end else { return nil }
    var payload = full
    for i in body..<bodyEnd { payload.append(page[i]) }
    guard RecordHeader.read(payload.span, size: size, into: &fields) == .exact,
      Plausibility.holds(fields, payload.span, shape, isRebuilt: true),
      let score = shape.score(fields, payload.span)
    else { return nil }
    let overflow = local < size ? page.u32(bodyEnd) : 0
    guard local == size || overflow > 1 else { return nil }
    let cell = CarvedCell(
      range: at..<cellEnd,
      payloadSize: size,
      rowid: nil,
      header: full,
      body: body..<bodyEnd,
      overflow: overflow,
      table: table,
      isRebuilt: true,
      columns: types.count
    )
    return (cell, score)
  }

  /// Whether the varints before the types can have had these lengths, and whether what is left
  /// of them past the fourth byte agrees.
  private func fits(
    _ page: Span<UInt8>,
    _ at: Int,
    _ prefix: Prefix,
    size: Int,
    sizeOfHeaderSize: Int,
    _ headerSize: Int
  ) -> Bool {
    let sizeLength = Varint.length(of: UInt64(size))
    let keyLength = prefix.length - sizeLength - sizeOfHeaderSize
    guard kind.isIndex ? keyLength == 0 : keyLength >= 1 && keyLength <= 9 else { return false }
    // The header's size, where it lies past the fourth byte, in one or two bytes.
    let headerAt = prefix.length - sizeOfHeaderSize
    if headerAt >= 4 {
      guard let stored = Varint.read(page, at: at + headerAt, end: page.count),
        stored.value == UInt64(headerSize)
      else { return false }
    }
    // What is left of the rowid: all but its last byte say that more follows.
    for i in max(4, sizeLength)..<max(4, headerAt) where i < headerAt {
      let isLast = i == headerAt - 1
      if keyLength < 9, (page[at + i] < 0x80) != isLast { return false }
    }
    return true
  }

  /// Whether a cell may end here because the free bytes do, or another cell begins.
  private mutating func isBoundary(_ page: Span<UInt8>, _ at: Int, _ end: Int) -> Bool {
    if end - at < 4 { return true }
    if Freeblock(page, at, usable: spill.usable) != nil { return true }
    return whole(page, at, end) != nil
  }
}
