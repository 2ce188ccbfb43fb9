import RasdModel

/// Reads entries of a proved archive: name, stored bytes, what they inflate to, checksum.
///
/// One value a worker: its memory is used again for every entry.
struct EntryReader: ~Copyable {
  private let source: ByteSource
  private let inflater = Inflater()
  private var raw: [UInt8] = []
  private var inflated: [UInt8] = []

  init(_ source: ByteSource) { self.source = source }

  /// The entry's name, from its local header alone.
  mutating func name(of entry: ZipEntry) throws(RasdError) -> EntryName {
    let size = ZipRecord.localSize + Int(entry.nameSize)
    try source.read(at: entry.offset, count: size, into: &raw)
    return try parseName(entry)
  }

  /// An entry's name and bytes; let go of before the next is read, their memory is used again.
  struct Contents {
    let name: EntryName
    fileprivate let buffer: [UInt8]
    fileprivate let start: Int

    var bytes: Span<UInt8> {
      @_lifetime(borrow self) get { buffer.span.extracting(droppingFirst: start) }
    }
  }

  /// Throws `entry-damaged` where the checksum or the DEFLATE stream is wrong.
  mutating func read(_ entry: ZipEntry) throws(RasdError) -> Contents {
    let headerSize = Int(entry.headerSize)
    try source.read(at: entry.offset, count: headerSize + entry.storedSize, into: &raw)
    let name = try parseName(entry)
    var contents = Contents(name: name, buffer: raw, start: headerSize)
    if entry.isDeflated {
      guard inflater.inflate(contents.bytes, size: entry.size, into: &inflated) == .whole else {
        throw RasdError.damaged(name, at: entry.dataOffset)
      }
      contents = Contents(name: name, buffer: inflated, start: 0)
    }
    guard Checksum.crc32(contents.bytes) == entry.checksum else {
      throw RasdError.damaged(name, at: entry.dataOffset)
    }
    return contents
  }

  private func parseName(_ entry: ZipEntry) throws(RasdError) -> EntryName {
    let start = ZipRecord.localSize
    let bytes = [UInt8](copying: raw.span.extracting(start..<(start + Int(entry.nameSize))))
    // It was proved when the archive was opened: only a file that changes since gets here.
    guard let name = EntryName(bytes) else { throw ZipFlaw.localName.error(at: entry.offset) }
    return name
  }
}

extension RasdError {
  /// An entry whose seal, checksum or compression is broken, at an offset of the file.
  static func damaged(_ name: EntryName, at offset: Int) -> RasdError {
    RasdError(.corrupt, .entryDamaged, place(name, offset))
  }

  static func place(_ name: EntryName, _ offset: Int? = nil) -> [String: Detail] {
    var details: [String: Detail] = ["entry": .text(name.text)]
    if let part = name.part { details["part"] = .number(Int64(part)) }
    if let offset { details["offset"] = .number(Int64(offset)) }
    return details
  }
}
