/// The types that a table's rows have at one place of their records.
struct SeenTypes: Hashable, Sendable {
  private var types: Set<UInt64> = []
  private var lengths: [Bool: Int] = [:]

  /// Lengths of text, or of BLOBs, that say nothing of what other lengths there may be.
  private static let manyLengths = 8

  mutating func add(_ type: UInt64) {
    if type < 12 {
      types.insert(type)
    } else if lengths[SerialType.isText(type), default: 0] <= Self.manyLengths,
      types.insert(type).inserted
    {
      lengths[SerialType.isText(type), default: 0] += 1
    }
  }

  /// Whether rows have this type, and few others like it.
  func isUsual(_ type: UInt64) -> Bool {
    types.contains(type) && (type < 12 || !isManifold(type))
  }

  /// Whether texts, or BLOBs, are of any length.
  func isManifold(_ type: UInt64) -> Bool {
    lengths[SerialType.isText(type), default: 0] > Self.manyLengths
  }
}

extension RowShape.Field {
  /// Longest texts and BLOBs whose types take one byte and two.
  private static let longestOfOneByte = 57
  private static let longestOfTwoBytes = 8_185

  /// What the type of a value may have been, as a varint of so many bytes of which perhaps the last
  /// is known, that filled at most `room` bytes.
  ///
  /// A value without bytes is none of these: nothing would tell it from another such.
  func lostTypes(of bytes: Int, last: UInt8? = nil, room: Int) -> [UInt64] {
    if isRowid { return bytes == 1 ? [0] : [] }
    var first = bytes == 1 ? 1 : Self.longestOfOneByte + 1
    let longest = min(room, bytes == 1 ? Self.longestOfOneByte : Self.longestOfTwoBytes)
    var step = 1
    if let last {
      // The last byte has seven bits of the type, so one length in 64 fits.
      guard last & 0x81 == 1 else { return [] }
      first += (Int(last) / 2 - (6 + first) % 64 + 64) % 64
      step = 64
    }
    let texts = stride(from: first, through: longest, by: step).map { 13 + 2 * UInt64($0) }
    let integers: [UInt64] =
      bytes == 1 ? [1, 2, 3, 4, 5, 6].filter { (SerialType.length($0) ?? 9) <= room } : []
    return switch affinity {
    case .integer: integers
    case .real, .numeric: integers + (bytes == 1 && room >= 8 ? [7] : [])
    case .text: texts
    case .blob: texts + integers
    }
  }

  /// Whether rows usually have this type here, or any text where that `isFree`.
  fileprivate func mayHave(_ type: UInt64, isFree: Bool) -> Bool {
    guard let seen else { return false }
    return seen.isUsual(type) || isFree && SerialType.isText(type) && seen.isManifold(type)
  }
}

extension CellCarver {
  /// The cell of a `WITHOUT ROWID` table whose first two types are lost, or the first with both
  /// its bytes: so it is with every payload below 128 bytes.
  ///
  /// Their lengths together follow from where the cell ends. What belongs to the key must be of a
  /// type that the table's rows usually have; and it is taken only where one division of these bytes
  /// does, and no other.
  mutating func withoutTwoTypes(
    _ page: Span<UInt8>,
    _ at: Int,
    _ end: Int,
    _ blockEnd: Int,
    _ table: Int,
    _ shape: RowShape
  ) -> CarvedCell? {
    guard shape.fields.count >= 2, let usual = shape.fields[0].seen else { return nil }
    let isFree =
      catalog.tables[table].schema.primaryKey.count == 1 && strengths[table] >= Self.strong
    let prefix = Prefix(length: 2, lost: 2)
    let ends = ends(page, at, end, blockEnd)
    var found: CarvedCell?
    for (first, second) in [(1, 1), (1, 2), (2, 0)] {
      let next = at + prefix.length + first + second
      let lost = second == 0 ? 1 : 2
      guard
        let (rest, body) = types(page, next, end, shape.fields.count - lost)
      else { continue }
      let others = rest.reduce(0) { $0 + (SerialType.length($1) ?? 0) }
      for cellEnd in ends {
        let room = cellEnd - body - others
        for type in shape.fields[0].lostTypes(of: first, room: room) where usual.isUsual(type) {
          let left = room - (SerialType.length(type) ?? 0)
          var readings: [[UInt64]] = []
          if second == 0 {
            if left == 0 { readings = [[type]] }
          } else {
            let last = second == 2 ? page[next - 1] : nil
            readings = shape.fields[1].lostTypes(of: second, last: last, room: left)
              .filter { SerialType.length($0) == left }
              .filter { shape.fields[1].mayHave($0, isFree: isFree) }
              .map { [type, $0] }
          }
          for reading in readings {
            guard
              let (cell, _) = cell(page, at, end, prefix, reading + rest, body, table, shape),
              cell.range.upperBound == cellEnd, isPrintable(cell, page)
            else { continue }
            if found != nil { return nil }
            found = cell
          }
        }
      }
    }
    return found
  }

  /// Where a cell of less than 128 bytes may end that begins a freeblock: where the freeblock does,
  /// or where a cell begins that became part of it, before this one or after.
  private mutating func ends(
    _ page: Span<UInt8>,
    _ at: Int,
    _ end: Int,
    _ blockEnd: Int
  ) -> [Int] {
    var ends: [Int] = []
    let furthest = at + 1 + 0x7F
    if blockEnd <= min(end, furthest) { ends.append(blockEnd) }
    var next = at + 4
    while next + 4 <= min(end, furthest) {
      if let block = Freeblock(page, next, usable: spill.usable),
        block.end == blockEnd || block.end < end && isOwn(page, block.end, end)
      {
        ends.append(next)
      } else if isOwn(page, next, end) {
        ends.append(next)
      }
      next += 1
    }
    return ends
  }

  private mutating func isOwn(_ page: Span<UInt8>, _ at: Int, _ end: Int) -> Bool {
    whole(page, at, end)?.table == own
  }

  /// Whether none of its texts holds control characters: what separates two cells is full of them.
  private func isPrintable(_ cell: CarvedCell, _ page: Span<UInt8>) -> Bool {
    let isWide = catalog.encoding != .utf8
    let low = catalog.encoding == .utf16BigEndian ? 1 : 0
    for field in fields where SerialType.isText(field.type) {
      let start = cell.body.lowerBound + field.offset - cell.header.count
      let bytes = page.extracting(start..<min(start + field.length, cell.body.upperBound))
      for i in stride(from: 0, to: bytes.count - (isWide ? 1 : 0), by: isWide ? 2 : 1) {
        if isWide, bytes[i + 1 - low] != 0 { continue }
        let byte = bytes[i + (isWide ? low : 0)]
        if byte < 0x20, byte != 9, byte != 10, byte != 13 { return false }
      }
    }
    return true
  }
}
