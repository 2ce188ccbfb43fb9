import RasdModel

/// What an archive may hold besides being one: an export is held to its format, a bundle to
/// what can be unpacked safely.
protocol ZipRules {
  var mostEntries: Int { get }
  /// Bytes before the first entry, as a self-extractor has them.
  var allowsPrefix: Bool { get }
  var allowsComment: Bool { get }

  /// Judges an entry of the directory, in the directory's order.
  mutating func admit(_ entry: ZipCandidate) throws(ZipFlaw)
  /// Judges the bytes of an entry whose structure is proved.
  func inspect(
    _ entry: ZipEntry,
    _ candidate: ZipCandidate,
    in source: ByteSource
  ) throws(RasdError)
}

/// The rules of an export (the format, §Entries).
struct ExportZipRules: ZipRules {
  /// The longest entry: a full part of 16 MiB with its header and seals, and what a deflater
  /// that finds nothing to deflate adds.
  static let longestEntry = (16 << 20) + (128 << 10)

  /// A bound for memory: forty bytes each while the archive is open.
  static let mostEntries = 1_000_000
  var mostEntries: Int { Self.mostEntries }
  let allowsPrefix = false
  let allowsComment = false

  private let source: ByteSource
  /// A keyed hash of each name, so that a million names need not be held.
  private var seen: [Int: (offset: Int, name: Int)] = [:]

  init(source: ByteSource) { self.source = source }

  mutating func admit(_ entry: ZipCandidate) throws(ZipFlaw) {
    guard let name = EntryName(entry.name) else { throw .name }
    guard entry.storedSize <= Self.longestEntry, entry.size <= Self.longestEntry else {
      throw .entrySize
    }
    guard name != .folder || entry.size == 0 else { throw .entrySize }
    try noteName(entry, name)
  }

  func inspect(
    _ entry: ZipEntry,
    _ candidate: ZipCandidate,
    in source: ByteSource
  ) throws(RasdError) {}

  /// Two equal names, or two names of tables or fixed entries equal but for case.
  private mutating func noteName(_ entry: ZipCandidate, _ name: EntryName) throws(ZipFlaw) {
    let folded = Self.fold(entry.name, name)
    let hash = folded.hashValue
    guard let earlier = seen.updateValue((entry.offset, entry.name.count), forKey: hash) else {
      return
    }
    // Two names with one hash are looked at: equal hashes alone prove nothing.
    let local = try? source.read(at: earlier.offset + ZipRecord.localSize, count: earlier.name)
    guard let local, let earlierName = EntryName(local),
      Self.fold(local, earlierName) != folded
    else { throw .duplicateName }
  }

  private static func fold(_ name: [UInt8], _ kind: EntryName) -> [UInt8] {
    if case .blob = kind { return name }
    return name.map { $0.isASCIILetter ? $0 | 0x20 : $0 }
  }
}
