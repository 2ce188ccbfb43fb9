import RasdContainer
import RasdModel

/// Entries of one table, given back in order; those beyond a few megabytes wait in sealed files
/// without a name, so that memory does not grow with their number.
///
/// Runs that are sorted lie on levels: as many as one merge takes make one run of the level above.
final class SortedEntries {
  /// What is sorted in memory at once, six tables being held at a time.
  static let bytesARun = 4 << 20
  /// Runs that one merge reads, each with a block at hand.
  private static let runsAMerge = 48

  private let table: TableName
  private let limit: Int
  private var waiting: [SalvagedEntry] = []
  private var weight = 0
  private var levels: [[ByteSource]] = []
  private(set) var count = 0

  /// Smaller runs are for tests.
  init(_ table: TableName, bytesARun limit: Int = SortedEntries.bytesARun) {
    (self.table, self.limit) = (table, limit)
  }

  func add(_ entry: SalvagedEntry) throws(RasdError) {
    waiting.append(entry)
    weight += entry.weight
    count += 1
    if weight >= limit { try spill() }
  }

  /// Gives every entry, in order; as often as is asked.
  func forEach(_ body: (SalvagedEntry) throws(RasdError) -> Void) throws(RasdError) {
    waiting.sort(by: SalvagedEntry.precedes)
    var heads = levels.joined().map { EntryRun($0, of: table) }
    heads.append(EntryRun(waiting))
    try Self.merge(heads, body)
  }

  private func spill() throws(RasdError) {
    waiting.sort(by: SalvagedEntry.precedes)
    try keep(try Self.run(of: [EntryRun(waiting)]), on: 0)
    waiting.removeAll(keepingCapacity: true)
    weight = 0
  }

  private func keep(_ run: ByteSource, on level: Int) throws(RasdError) {
    if levels.count == level { levels.append([]) }
    levels[level].append(run)
    guard levels[level].count == Self.runsAMerge else { return }
    let merged = try Self.run(of: levels[level].map { EntryRun($0, of: table) })
    levels[level] = []
    try keep(merged, on: level + 1)
  }

  /// Merges runs into one in a sealed file.
  private static func run(of runs: [EntryRun]) throws(RasdError) -> ByteSource {
    let spool = try SpoolWriter(in: TemporaryFolder.parent)
    var bytes: [UInt8] = []
    try merge(runs) { (entry) throws(RasdError) in
      bytes.removeAll(keepingCapacity: true)
      entry.write(to: &bytes)
      try spool.append(bytes.span)
    }
    return try spool.finish()
  }

  private static func merge(
    _ runs: [EntryRun],
    _ body: (SalvagedEntry) throws(RasdError) -> Void
  ) throws(RasdError) {
    var heap: [EntryRun] = []
    for run in runs {
      try run.advance()
      if run.head != nil { heap.append(run) }
    }
    heap.sort { EntryRun.precedes($0, $1) }
    while let first = heap.first, let entry = first.head {
      try body(entry)
      try first.advance()
      if first.head == nil {
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
      }
      sink(&heap)
    }
  }

  /// Puts the first run of a heap where it belongs.
  private static func sink(_ heap: inout [EntryRun]) {
    var at = 0
    while true {
      var least = at
      for child in [2 * at + 1, 2 * at + 2] where child < heap.count {
        if EntryRun.precedes(heap[child], heap[least]) { least = child }
      }
      guard least != at else { return }
      heap.swapAt(at, least)
      at = least
    }
  }
}

/// A sorted run as it is read.
private final class EntryRun {
  private(set) var head: SalvagedEntry?
  private let source: Source
  private var position = 0
  /// Bytes read and not yet taken.
  private var buffer: [UInt8] = []
  private var taken = 0

  private enum Source {
    case memory([SalvagedEntry])
    case spool(ByteSource, TableName)
  }

  /// A spool's own block.
  private static let blockSize = 64 << 10

  init(_ entries: [SalvagedEntry]) { source = .memory(entries) }
  init(_ spool: ByteSource, of table: TableName) { source = .spool(spool, table) }

  static func precedes(_ a: EntryRun, _ b: EntryRun) -> Bool {
    guard let x = a.head, let y = b.head else { return b.head == nil && a.head != nil }
    return SalvagedEntry.precedes(x, y)
  }

  /// Makes `head` the next entry, or nil at the end.
  func advance() throws(RasdError) {
    switch source {
    case .memory(let entries):
      head = position < entries.count ? entries[position] : nil
      position += 1
    case .spool(let spool, let table):
      head = nil
      guard try fill(SalvagedEntry.lengthSize, from: spool) else { return }
      var size = 0
      for i in 0..<SalvagedEntry.lengthSize { size = size << 8 | Int(buffer[taken + i]) }
      taken += SalvagedEntry.lengthSize
      guard try fill(size, from: spool),
        let entry = SalvagedEntry(buffer.span.extracting(taken..<(taken + size)), of: table)
      else { throw RasdError(.unavailable, .ioError, ["file": "spool"]) }
      taken += size
      head = entry
    }
  }

  /// Has `count` bytes at hand; false at the end.
  private func fill(_ count: Int, from spool: ByteSource) throws(RasdError) -> Bool {
    while buffer.count - taken < count {
      guard position < spool.size else { return false }
      buffer.removeFirst(taken)
      taken = 0
      let block = try spool.read(
        at: position,
        count: min(Self.blockSize, spool.size - position)
      )
      position += block.count
      buffer.append(contentsOf: block)
    }
    return true
  }
}
