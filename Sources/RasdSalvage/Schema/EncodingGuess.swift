/// Tells how a database stores TEXT from its cells, where no header says so.
///
/// Most text of most languages has many characters below U+0100, whose other byte is zero; in
/// UTF-8 no byte of ordinary text is.
struct EncodingGuess: Sendable {
  private var pairs = 0
  private var zeroFirst = 0
  private var zeroSecond = 0
  private var fields: [RecordField] = []

  /// Leaves looked at; an encoding shows in a few rows.
  static let pages = 64

  mutating func add(_ page: Page, spill: SpillRule) {
    guard let cells = LeafCells(page, spill: spill) else { return }
    let bytes = page.bytes.span
    for (_, cell) in cells.cells {
      let payload = bytes.extracting(cell.payloadStart..<cell.payloadStart + cell.local)
      guard RecordHeader.read(payload, size: cell.payloadSize, into: &fields) == .exact else {
        continue
      }
      for field in fields where SerialType.isText(field.type) && field.end <= payload.count {
        for at in stride(from: field.offset, to: field.end - 1, by: 2) {
          pairs += 1
          if payload[at] == 0 { zeroFirst += 1 }
          if payload[at + 1] == 0 { zeroSecond += 1 }
        }
      }
    }
  }

  var encoding: DatabaseEncoding {
    // A tenth is far above the NULs of UTF-8 and below what even Arabic or Chinese text with
    // its ids, times and digits has.
    if 10 * zeroSecond > pairs, zeroSecond > zeroFirst { return .utf16LittleEndian }
    if 10 * zeroFirst > pairs { return .utf16BigEndian }
    return .utf8
  }
}

extension Salvage {
  func findEncoding() -> DatabaseEncoding {
    var guess = EncodingGuess()
    let leaves = (1...max(1, map.count)).filter { map.shape($0) == .tableLeaf }
    let step = max(1, leaves.count / EncodingGuess.pages)
    for at in stride(from: 0, to: leaves.count, by: step) {
      if let page = source.current(leaves[at]) { guess.add(page, spill: spill) }
    }
    return guess.encoding
  }
}
