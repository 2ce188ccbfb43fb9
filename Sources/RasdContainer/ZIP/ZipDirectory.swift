import RasdModel

/// An archive's entries in file order, proved from the central directory and the local headers
/// together before a byte of any entry is read.
package struct ZipDirectory: Sendable {
  package let entries: [ZipEntry]

  /// Directory records are read this many bytes at a time.
  private static let windowSize = 256 << 10

  /// Throws `empty`, `not-an-export`, `truncated` or `unsafe-container`.
  init(of source: ByteSource, rules: inout some ZipRules) throws(RasdError) {
    let end = try ZipEnd(of: source, rules: rules)
    var window = SourceWindow(source, size: Self.windowSize)
    let records = try Self.records(end, &window, admittedBy: &rules)
    if let first = records.first, first.entry != 0, !rules.allowsPrefix {
      throw ZipFlaw.bytesBefore.error(at: 0)
    }
    var entries: [ZipEntry] = []
    entries.reserveCapacity(records.count)
    var buffer: [UInt8] = []
    for (i, record) in records.enumerated() {
      let next = i + 1 < records.count ? records[i + 1].entry : end.directory.lowerBound
      let candidate = try Self.candidate(at: record.offset, &window).0
      let entry = try ZipLocalHeader.prove(candidate, endingAt: next, in: source, &buffer)
      try rules.inspect(entry, candidate, in: source)
      entries.append(entry)
    }
    self.entries = entries
  }

  private struct Record {
    /// Where it lies, and where its entry does.
    let offset: Int
    let entry: Int
  }

  /// The directory's records in the order of their entries in the file.
  private static func records(
    _ end: ZipEnd,
    _ window: inout SourceWindow,
    admittedBy rules: inout some ZipRules
  ) throws(RasdError) -> [Record] {
    var records: [Record] = []
    records.reserveCapacity(end.entries)
    var at = end.directory.lowerBound
    for _ in 0..<end.entries {
      guard at < end.directory.upperBound else { throw ZipFlaw.directoryRecord.error(at: at) }
      let (candidate, next) = try candidate(at: at, &window)
      guard next <= end.directory.upperBound else { throw ZipFlaw.directoryRecord.error(at: at) }
      do {
        try candidate.prove(before: end.directory.lowerBound)
        try rules.admit(candidate)
      } catch {
        throw error.error(entry: candidate.name, at: at)
      }
      records.append(Record(offset: at, entry: candidate.offset))
      at = next
    }
    guard at == end.directory.upperBound else { throw ZipFlaw.entryCount.error(at: at) }
    if zip(records, records.dropFirst()).contains(where: { $0.entry > $1.entry }) {
      records.sort { $0.entry < $1.entry }
    }
    return records
  }

  /// Reads one record; the second value is where the next begins.
  private static func candidate(
    at offset: Int,
    _ window: inout SourceWindow
  ) throws(RasdError) -> (ZipCandidate, Int) {
    try window.load(at: offset, count: ZipRecord.directorySize)
    let fixed = [UInt8](copying: window.view(at: offset, count: ZipRecord.directorySize))
    guard fixed.span.u32(0) == ZipRecord.directorySignature else {
      throw ZipFlaw.directoryRecord.error(at: offset)
    }
    let (nameSize, extraSize) = (fixed.span.u16(28), fixed.span.u16(30))
    let size = ZipRecord.directorySize + nameSize + extraSize + fixed.span.u16(32)
    try window.load(at: offset, count: size)
    do {
      let record = window.view(at: offset, count: size)
      return (try ZipCandidate(record, nameSize: nameSize, extraSize: extraSize), offset + size)
    } catch {
      throw error.error(at: offset)
    }
  }
}

/// An entry as the central directory tells of it (APPNOTE §4.3.12).
struct ZipCandidate {
  let name: [UInt8]
  let flags: Int
  let method: Int
  let checksum: UInt32
  let storedSize: Int
  let size: Int
  let offset: Int
  /// File type and permissions as Unix has them, zero where the archive was made elsewhere.
  let mode: Int

  /// Takes a whole record whose signature has been checked.
  init(_ record: Span<UInt8>, nameSize: Int, extraSize: Int) throws(ZipFlaw) {
    let nameAt = ZipRecord.directorySize
    let name = record.extracting(nameAt..<(nameAt + nameSize))
    let extra = record.extracting((nameAt + nameSize)..<(nameAt + nameSize + extraSize))
    var values = [record.int32(24), record.int32(20), record.int32(42)]
    try ZipExtra(extra, name: name).resolve(extra, &values, bothSizes: false)
    let disk = record.u16(34)
    guard disk == 0 || disk == ZipRecord.elsewhere16 else { throw .severalDisks }
    self.name = [UInt8](copying: name)
    flags = record.u16(8)
    method = record.u16(10)
    checksum = record.u32(16)
    (size, storedSize, offset) = (values[0], values[1], values[2])
    mode = record.u16(40)
  }

  var isLink: Bool { mode & 0xF000 == 0xA000 }

  /// What no archive may have, an export or a bundle.
  func prove(before directory: Int) throws(ZipFlaw) {
    let cipher = ZipRecord.encrypted | ZipRecord.stronglyEncrypted | ZipRecord.maskedHeader
    guard flags & cipher == 0 else { throw .encryption }
    guard method == ZipRecord.stored || method == ZipRecord.deflated else { throw .method }
    guard method == ZipRecord.deflated || size == storedSize else { throw .entrySize }
    guard !isLink else { throw .link }
    let (end, overflow) = offset.addingReportingOverflow(storedSize)
    guard !overflow, end <= directory else { throw .directoryRecord }
  }
}
