package import RasdModel

/// What a rescue found and what it missed: part headers say exactly which rows and bytes are not
/// there, even where `end.json` is lost (the format, §Salvage).
package struct RescueAccount: Sendable {
  /// One stream: a table's rows, or a blob's bytes.
  package struct Stream: Sendable {
    /// Ranges had, ascending and apart: row numbers of a table, bytes of a blob.
    package fileprivate(set) var had: [Range<Int>] = []
    /// How long the stream is, where its last part or `end.json` says so.
    package fileprivate(set) var total: Int?

    /// What is missing; an open end is `lower..<Int.max`.
    package var gaps: [Range<Int>] {
      var gaps: [Range<Int>] = []
      var at = 0
      for range in had {
        if range.lowerBound > at { gaps.append(at..<range.lowerBound) }
        at = max(at, range.upperBound)
      }
      if let total {
        if at < total { gaps.append(at..<total) }
      } else {
        gaps.append(at..<Int.max)
      }
      return gaps
    }

    package var count: Int { had.reduce(0) { $0 + $1.count } }
    package var isWhole: Bool { gaps.isEmpty }

    fileprivate mutating func add(_ range: Range<Int>) {
      guard !range.isEmpty else { return }
      had.append(range)
      had.sort { $0.lowerBound < $1.lowerBound }
      var joined: [Range<Int>] = []
      for range in had {
        if let last = joined.last, last.upperBound >= range.lowerBound {
          joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
          joined.append(range)
        }
      }
      had = joined
    }
  }

  package private(set) var tables: [TableName: Stream] = [:]
  package private(set) var blobs: [BlobID: Stream] = [:]
  /// The inventory's lines, as far as they were had, the first of each blob.
  package private(set) var inventory: [BlobID: BlobRecord] = [:]
  package private(set) var meta: ExportMeta?
  package private(set) var end: EndRecord?
  /// Entries that opened whole, in part, and not at all.
  package private(set) var whole = 0
  package private(set) var inPart: [EntryName] = []
  /// Whether it was opened by a key that a key ring binds to its namespace.
  package internal(set) var isBound = false
  package private(set) var lost: [EntryName] = []

  init(tables: [TableName]) {
    for table in tables { self.tables[table] = Stream() }
  }

  mutating func add(
    _ part: RescuedPart?,
    _ entry: FoundEntry,
    into taker: inout some RescueTaker,
    isSealed: Bool
  ) throws(RasdError) {
    guard let part else {
      lost.append(entry.name)
      return
    }
    if part.isWhole { whole += 1 } else { inPart.append(entry.name) }
    let place = RescuePlace(entry: entry.name, offset: entry.dataOffset, isSealed: isSealed)
    switch entry.name {
    case .rows(let name, _) where name == EntryName.inventory:
      for (_, line) in Self.lines(part) {
        if let record = BlobRecord(line: part.buffer.span.extracting(line)),
          inventory[record.id] == nil
        {
          inventory[record.id] = record
        }
      }
    case .rows(let name, _):
      guard let table = TableName(name) else { return }
      let lines = Self.lines(part)
      for (number, line) in lines {
        try taker.row(part.buffer.span.extracting(line), table, place, number: number)
      }
      let end = part.header.rowsBefore + lines.count
      tables[table, default: Stream()].add(part.header.rowsBefore..<end)
      if part.header.isLast, part.isWhole { tables[table, default: Stream()].total = end }
    case .blob(let id, _):
      for range in part.good {
        let offset = part.header.offset + range.lowerBound - part.bodyStart
        try taker.blob(part.buffer.span.extracting(range), id, place, offset: offset)
        blobs[id, default: Stream()].add(offset..<offset + range.count)
      }
      if part.header.isLast { blobs[id, default: Stream()].total = part.header.end }
    case .meta:
      let body = part.buffer.span.extracting(part.bodyStart...)
      if part.isWhole { meta = (try? ExportReader.meta(of: body)).map { ExportMeta($0) } }
    case .end:
      let body = part.buffer.span.extracting(part.bodyStart...)
      if part.isWhole { end = try? EndRecord(body) }
      for total in end?.tables ?? [] {
        if let table = TableName(total.name) {
          tables[table, default: Stream()].total = total.rows
        }
      }
    case .manifest, .manifestCopy, .folder: break
    }
  }

  /// Whole lines before the first hole, with their numbers; what a hole cuts is no line.
  private static func lines(_ part: RescuedPart) -> [(number: Int, range: Range<Int>)] {
    guard let first = part.good.first, first.lowerBound == part.bodyStart else { return [] }
    var lines: [(Int, Range<Int>)] = []
    var number = part.header.rowsBefore
    var start = first.lowerBound
    let body = part.buffer.span.extracting(..<first.upperBound)
    while let end = Lines.next(in: body, from: start) {
      lines.append((number, start..<end))
      number += 1
      start = end + 1
    }
    return lines
  }
}
