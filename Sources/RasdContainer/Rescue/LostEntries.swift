import RasdModel

/// An entry of a damaged archive: its name, and where its bytes may lie.
struct FoundEntry {
  let name: EntryName
  let isDeflated: Bool
  let dataOffset: Int
  /// The end that its header or the directory gives, where one does.
  let saidEnd: Int?
  /// Where the next thing found begins: the entry ends there at the latest.
  var limit = 0

  var headerOffset: Int
}

/// Finds the entries of a damaged archive by local header, by directory, and by what lies between
/// two known entries (the format, §Salvage).
struct LostEntries {
  private let source: ByteSource
  private var entries: [Int: FoundEntry] = [:]
  /// Where the directory begins, as far as its records are there.
  private var directoryStart: Int?

  init(in source: ByteSource) throws(RasdError) {
    self.source = source
    try findLocalHeaders()
    try findDirectory()
  }

  /// In file order, each with its limit.
  func inOrder() -> [FoundEntry] {
    var ordered = entries.values.sorted { $0.headerOffset < $1.headerOffset }
    for i in ordered.indices {
      let next = i + 1 < ordered.count ? ordered[i + 1].headerOffset : nil
      ordered[i].limit = next ?? directoryStart ?? source.size
    }
    return ordered
  }

  /// An entry without its header, behind `entry` and before its limit: the next part of its
  /// stream, whose name has a known length.
  func hidden(behind entry: FoundEntry, from offset: Int) -> FoundEntry? {
    guard let part = entry.name.part, entry.limit - offset > ZipRecord.localSize else { return nil }
    let name = entry.name.with(part: part + 1)
    return FoundEntry(
      name: name,
      isDeflated: false,
      dataOffset: offset + ZipRecord.localSize + name.bytes.count,
      saidEnd: entry.limit,
      limit: entry.limit,
      headerOffset: offset
    )
  }

  private mutating func findLocalHeaders() throws(RasdError) {
    var found: [Int: FoundEntry] = [:]
    let source = source
    try PatternFinder(Self.bytes(ZipRecord.localSignature), in: source).forEach {
      (offset) throws(RasdError) in
      guard source.size - offset >= ZipRecord.localSize else { return }
      let fixed = try source.read(at: offset, count: ZipRecord.localSize)
      let (nameSize, extraSize) = (fixed.span.u16(26), fixed.span.u16(28))
      let dataOffset = offset + ZipRecord.localSize + nameSize + extraSize
      guard dataOffset <= source.size else { return }
      let rest = try source.read(at: offset + ZipRecord.localSize, count: nameSize + extraSize)
      guard let name = EntryName(Array(rest.prefix(nameSize))), name != .folder else { return }
      var sizes = [fixed.span.int32(22), fixed.span.int32(18)]
      let extra = Array(rest.dropFirst(nameSize))
      if let fields = try? ZipExtra(extra.span, name: name.bytes.span) {
        try? fields.resolve(extra.span, &sizes, bothSizes: true)
      }
      let end = dataOffset.addingReportingOverflow(sizes[1])
      found[offset] = FoundEntry(
        name: name,
        isDeflated: fixed.span.u16(8) == ZipRecord.deflated,
        dataOffset: dataOffset,
        saidEnd: sizes[1] > 0 && !end.overflow && end.partialValue <= source.size
          ? end.partialValue : nil,
        headerOffset: offset
      )
    }
    entries = found
  }

  /// Entries that the directory lists and whose own header is gone.
  private mutating func findDirectory() throws(RasdError) {
    var found = entries
    var first: Int?
    let source = source
    try PatternFinder(Self.bytes(ZipRecord.directorySignature), in: source).forEach {
      (offset) throws(RasdError) in
      guard source.size - offset >= ZipRecord.directorySize else { return }
      let fixed = try source.read(at: offset, count: ZipRecord.directorySize)
      let (nameSize, extraSize) = (fixed.span.u16(28), fixed.span.u16(30))
      guard source.size - offset - ZipRecord.directorySize >= nameSize + extraSize else { return }
      let rest = try source.read(at: offset + ZipRecord.directorySize, count: nameSize + extraSize)
      guard let name = EntryName(Array(rest.prefix(nameSize))), name != .folder else { return }
      first = first ?? offset
      var fields = [fixed.span.int32(24), fixed.span.int32(20), fixed.span.int32(42)]
      let extra = Array(rest.dropFirst(nameSize))
      guard let large = try? ZipExtra(extra.span, name: name.bytes.span),
        (try? large.resolve(extra.span, &fields, bothSizes: false)) != nil
      else { return }
      let header = fields[2]
      guard found[header] == nil, header >= 0, header < source.size else { return }
      let data = header.addingReportingOverflow(ZipRecord.localSize + nameSize)
      let end = data.partialValue.addingReportingOverflow(fields[1])
      guard !data.overflow, !end.overflow, end.partialValue <= source.size else { return }
      found[header] = FoundEntry(
        name: name,
        isDeflated: fixed.span.u16(10) == ZipRecord.deflated,
        dataOffset: data.partialValue,
        saidEnd: end.partialValue,
        headerOffset: header
      )
    }
    (entries, directoryStart) = (found, first)
  }

  private static func bytes(_ signature: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: signature >> (8 * $0)) }
  }
}
