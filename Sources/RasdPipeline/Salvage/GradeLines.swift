import RasdContainer
import RasdModel
import RasdReport

/// What is said of each row of a salvage's export: `{table, key, hash, grade, kind, provenance}`
/// (salvage, §Rows), where `hash` is that of the row that the grade is about.
///
/// What an earlier salvage said of a row goes before what this one can say, to which the earlier
/// one's own export looks whole. The lines wait in sealed files until the rows are written.
final class GradeLines {
  /// Lines of which an earlier one may take the place.
  private let sorted: SortedEntries?
  private let spool: SpoolWriter?

  /// `shelf` has the lines of an earlier salvage, where there are any.
  init(earlier shelf: SalvageShelf) throws(RasdError) {
    guard !shelf.isEmpty(SalvageGrade.table) else {
      (sorted, spool) = (nil, try SpoolWriter(in: TemporaryFolder.parent))
      return
    }
    let lines = SortedEntries(SalvageGrade.table)
    (sorted, spool) = (lines, nil)
    try shelf.forEach(of: SalvageGrade.table) { (entry) throws(RasdError) in
      let said = SalvageGrade(line: entry.text.span)
      try lines.add(Self.entry(entry.text, of: said.map { "\($0.row) \($0.hash)" }, .earlier))
    }
  }

  func add(_ entry: SalvagedEntry) throws(RasdError) {
    var line: [UInt8] = []
    entry.writeGradeLine(to: &line)
    if let sorted {
      let row = entry.hash.map { "\(entry.table) \($0)" }
      try sorted.add(Self.entry(line, of: row, .now))
    } else if let spool {
      line.append(UInt8(ascii: "\n"))
      try spool.append(line.span)
    }
  }

  func forEach(_ body: (Span<UInt8>) throws(RasdError) -> Void) throws(RasdError) {
    if let spool { try Self.forEachLine(of: try spool.finish(), body) }
    var said: String?
    try sorted?.forEach { (line) throws(RasdError) in
      if let key = line.key, key == said, !Voice.earlier.spoke(line) { return }
      said = line.key
      try body(line.text.span)
    }
  }

  private static func forEachLine(
    of source: ByteSource,
    _ body: (Span<UInt8>) throws(RasdError) -> Void
  ) throws(RasdError) {
    var bytes: [UInt8] = []
    var offset = 0
    while offset < source.size {
      let block = try source.read(at: offset, count: min(block, source.size - offset))
      offset += block.count
      bytes.append(contentsOf: block)
      var start = 0
      while let end = Lines.next(in: bytes.span, from: start) {
        try body(bytes.span.extracting(start..<end))
        start = end + 1
      }
      bytes.removeFirst(start)
    }
  }

  /// What is read of the spool at once: it seals in blocks of 64 KiB.
  private static let block = 1 << 18

  /// Who says it; the earlier one sorts first, as the better grade does.
  private enum Voice {
    case earlier, now

    var grade: Grade { self == .earlier ? .verified : .contradicted }

    func spoke(_ line: SalvagedEntry) -> Bool { line.grade == grade }
  }

  private static func entry(_ line: [UInt8], of row: String?, _ voice: Voice) -> SalvagedEntry {
    SalvagedEntry(
      table: SalvageGrade.table,
      key: row,
      hash: nil,
      grade: voice.grade,
      kind: .live,
      text: line,
      provenance: []
    )
  }
}

extension SalvagedEntry {
  /// Appends what is said of the row.
  fileprivate func writeGradeLine(to line: inout [UInt8]) {
    line.append(contentsOf: #"{"table":""#.utf8)
    line.append(contentsOf: table.text.utf8)
    if let rowKey {
      line.append(contentsOf: #"","key":"#.utf8)
      KeyShade.values.json(rowKey).write(to: &line)
    } else {
      line.append(UInt8(ascii: "\""))
    }
    if let hash {
      line.append(contentsOf: #","hash":""#.utf8)
      line.append(contentsOf: hash.hex.utf8)
      line.append(UInt8(ascii: "\""))
    }
    line.append(contentsOf: #","grade":""#.utf8)
    line.append(contentsOf: grade.rawValue.utf8)
    line.append(contentsOf: #"","kind":""#.utf8)
    line.append(contentsOf: kind.rawValue.utf8)
    line.append(contentsOf: #"","provenance":"#.utf8)
    line.append(contentsOf: provenance)
    line.append(UInt8(ascii: "}"))
  }
}
