import RasdModel

/// Follows an export's entries in file order: that each stream's parts are all there, in order
/// and continuous (the format, §Parts and §Verifying).
struct StreamCheck {
  private let manifest: Manifest
  /// The rank of the furthest entry so far: manifest, meta, tables, blobs, inventory, end, copy.
  private var rank = 0
  /// Everything but blobs, of which there may be a million.
  private var seen: Set<EntryName> = []
  private var current: Stream?
  /// Parts that did not come in their turn; one that comes later is out of order, not missing.
  private var gaps: [Gap] = []
  /// Streams that were left before their last part, or whose parts are out of order: they may
  /// be taken up again.
  private var parked: [EntryName: Stream] = [:]
  /// Parts that could not be read leave sums and hashes unknown.
  private(set) var hasDamagedRows = false
  private(set) var damagedBlobs: Set<BlobID> = []

  /// A stream whose parts are being read.
  private struct Stream {
    /// The name of its first part.
    let name: EntryName
    var nextPart: Int
    /// Where the next part must begin; nil where the part before could not be read.
    var next: Position?
    /// Whether its last part has come.
    var isClosed = false
    /// Whether the part that came last could not be read: it may have been the last one.
    var mayBeClosed = false
    var isDisturbed = false
  }

  private struct Position: Equatable {
    var offset: Int
    var row: Int
  }

  private struct Gap {
    let stream: EntryName
    var parts: Range<Int>
  }

  /// Gaps are searched for each part that is out of order: more of them change no verdict.
  private static let mostGaps = 1000

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// A decoded part, as far as continuity goes.
  struct Facts {
    let name: EntryName
    let header: PartHeader
    /// Lines of a rows part; zero in blobs.
    let rows: Int
    /// Whether a rows part holds whole lines.
    let endsInLine: Bool
    let offsetInFile: Int
  }

  /// Takes the next entry; gives what is wrong with its place.
  mutating func take(_ part: Facts) -> [RasdError] {
    var failures = enter(part.name, at: part.offsetInFile)
    guard let number = part.name.part, var stream = current else { return failures }
    let header = part.header
    let isMisplaced =
      stream.next.map {
        $0 != Position(offset: header.offset, row: header.rowsBefore)
      } ?? false
    // An empty part is the only one of its stream.
    let isEmptyWrongly = header.decodedSize == 0 && !(number == 0 && header.isLast)
    if isMisplaced || isEmptyWrongly || !part.endsInLine {
      failures.append(.outOfOrder(part.name, part.offsetInFile))
    }
    stream.next = Position(offset: header.end, row: header.rowsBefore + part.rows)
    stream.isClosed = stream.isClosed || header.isLast
    stream.mayBeClosed = false
    current = stream
    if !failures.isEmpty { note(damagedIn: part.name) }
    return failures
  }

  /// Takes an entry that could not be read.
  mutating func takeDamaged(_ name: EntryName, at offset: Int) -> [RasdError] {
    let failures = enter(name, at: offset)
    current?.next = nil
    current?.mayBeClosed = true
    note(damagedIn: name)
    return failures
  }

  /// Takes an entry that is no part: `meta.json`, `end.json` and the manifests.
  mutating func takeSingle(_ name: EntryName, at offset: Int) -> [RasdError] {
    enter(name, at: offset)
  }

  /// Takes an entry of which its name alone is known.
  mutating func pass(_ name: EntryName, at offset: Int) -> [RasdError] {
    let failures = enter(name, at: offset)
    current?.next = nil
    current?.mayBeClosed = true
    return failures
  }

  /// Passes over a part of a stream that nobody wants.
  mutating func skip(_ name: EntryName) {
    if current?.name != name.with(part: 0) { close() }
  }

  /// What is missing once all entries were taken.
  mutating func finish() -> [RasdError] {
    close()
    // The part after the last one that came is missing where that was not the last.
    let unclosed = parked.values.filter { !$0.isClosed && !$0.mayBeClosed }
    gaps += unclosed.map { Gap(stream: $0.name, parts: $0.nextPart..<($0.nextPart + 1)) }
      .sorted { $0.stream.bytes.lexicographicallyPrecedes($1.stream.bytes) }
    var missing = gaps.map { gap in
      var failure = ExportFile.missing(gap.stream.with(part: gap.parts.lowerBound))
      if gap.parts.count > 1 { failure.details["parts"] = .number(Int64(gap.parts.count)) }
      return failure
    }
    var required: [EntryName] = [.meta]
    required += manifest.tables.map { .rows(table: $0.text, part: 0) }
    required += [.rows(table: EntryName.inventory, part: 0), .manifestCopy]
    let absent = required.filter { !seen.contains($0) }
    missing += absent.map(ExportFile.missing)
    for name in absent { note(damagedIn: name) }
    if !seen.contains(.end) {
      missing.append(RasdError(.corrupt, .truncated, RasdError.place(.end)))
    }
    return missing
  }

  // MARK: - Order

  private mutating func enter(_ name: EntryName, at offset: Int) -> [RasdError] {
    let first = name.with(part: 0)
    var failures: [RasdError] = []
    if current?.name != first {
      close()
      failures += begin(first, name, at: offset)
    }
    guard let number = name.part, var stream = current else { return failures }
    defer { current = stream }
    if number == stream.nextPart, !stream.isClosed {
      stream.nextPart += 1
      return failures
    }
    if number > stream.nextPart {
      open(Gap(stream: first, parts: stream.nextPart..<number))
      stream.nextPart = number + 1
    } else {
      fill(first, number)
      stream.nextPart = max(stream.nextPart, number + 1)
      failures.append(.outOfOrder(name, offset))
    }
    stream.next = nil
    stream.isDisturbed = true
    return failures
  }

  /// Begins a stream, or takes one up again that was left before its last part.
  private mutating func begin(
    _ first: EntryName,
    _ name: EntryName,
    at offset: Int
  ) -> [RasdError] {
    var failures: [RasdError] = []
    let newRank = rank(of: name)
    if let newRank {
      if newRank < rank { failures.append(.outOfOrder(name, offset)) }
      rank = max(rank, newRank)
    } else {
      failures.append(ZipFlaw.unlistedTable.error(entry: name.bytes, at: offset))
    }
    let old = parked.removeValue(forKey: first)
    var wasSeen = old != nil
    if case .blob = first {} else { wasSeen = !seen.insert(first).inserted || wasSeen }
    if wasSeen { failures.append(.outOfOrder(name, offset)) }
    guard name.part != nil else { return failures }
    var stream = old ?? Stream(name: first, nextPart: 0, next: Position(offset: 0, row: 0))
    if wasSeen { stream.next = nil }
    stream.isDisturbed = wasSeen
    current = stream
    return failures
  }

  /// Leaves the stream at hand.
  private mutating func close() {
    guard let stream = current else { return }
    current = nil
    guard !(stream.isClosed || stream.mayBeClosed) || stream.isDisturbed else { return }
    note(damagedIn: stream.name)
    if parked.count < Self.mostGaps { parked[stream.name] = stream }
  }

  private mutating func open(_ gap: Gap) {
    note(damagedIn: gap.stream)
    if gaps.count < Self.mostGaps { gaps.append(gap) }
  }

  private mutating func note(damagedIn stream: EntryName) {
    switch stream {
    case .rows: hasDamagedRows = true
    case .blob(let id, _): damagedBlobs.insert(id)
    default: break
    }
  }

  /// Takes a part out of the gaps.
  private mutating func fill(_ stream: EntryName, _ number: Int) {
    guard let i = gaps.firstIndex(where: { $0.stream == stream && $0.parts.contains(number) })
    else { return }
    let parts = gaps.remove(at: i).parts
    for rest in [parts.lowerBound..<number, (number + 1)..<parts.upperBound] where !rest.isEmpty {
      gaps.append(Gap(stream: stream, parts: rest))
    }
  }

  /// Nil for a table that the manifest does not list.
  private func rank(of name: EntryName) -> Int? {
    let tables = manifest.tables.count
    return switch name {
    case .manifest: 0
    case .meta: 1
    case .rows(EntryName.inventory, _): 3 + tables
    case .rows(let table, _): manifest.tables.firstIndex { $0.text == table }.map { 2 + $0 }
    case .blob, .folder: 2 + tables
    case .end: 4 + tables
    case .manifestCopy: 5 + tables
    }
  }
}

extension RasdError {
  fileprivate static func outOfOrder(_ name: EntryName, _ offset: Int) -> RasdError {
    RasdError(.integrity, .partOrder, place(name, offset))
  }
}
