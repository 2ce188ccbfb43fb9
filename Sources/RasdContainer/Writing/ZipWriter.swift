import RasdModel

/// Writes stored entries one after the other, each complete in memory when it is written.
///
/// libzip, which would be the library for it, wants to know every entry before it writes the
/// first byte, and how many parts a stream of rows makes is known at its end. What an export
/// needs is this much of ZIP: sizes and checksum in the local header, a directory, ZIP64 where
/// the archive is too large for the old fields. libzip reads what comes out in the tests.
struct ZipWriter: ~Copyable {
  private let file: OutputFile
  private var directory: [UInt8] = []
  private(set) var entries = 0
  private var header: [UInt8] = []

  /// 2.0 is enough for plain entries, 4.5 for ZIP64.
  private static let version = 20
  private static let largeVersion = 45
  /// The earliest date that MS-DOS knows, 1 January 1980: an export says its own time.
  private static let date = 0x21

  init(_ file: OutputFile) { self.file = file }

  /// Writes an entry; throws `limit-exceeded` past the million that an export may have.
  mutating func add(_ name: [UInt8], _ bytes: Span<UInt8>) throws(RasdError) {
    guard entries < ExportZipRules.mostEntries else {
      throw RasdError(
        .unavailable,
        .limitExceeded,
        ["entries": .number(Int64(ExportZipRules.mostEntries))]
      )
    }
    let offset = file.size
    let checksum = Checksum.crc32(bytes)
    header.removeAll(keepingCapacity: true)
    header.append32(Int(ZipRecord.localSignature))
    header.append16(Self.version)
    appendCommon(checksum, bytes.count, name.count)
    header.append16(0)
    header += name
    try file.write(header.span)
    try file.write(bytes)
    list(name, checksum, bytes.count, at: offset)
    entries += 1
  }

  private mutating func list(_ name: [UInt8], _ checksum: UInt32, _ size: Int, at offset: Int) {
    let isFar = offset >= ZipRecord.elsewhere32
    header.removeAll(keepingCapacity: true)
    header.append32(Int(ZipRecord.directorySignature))
    header.append16(Self.version)
    header.append16(isFar ? Self.largeVersion : Self.version)
    appendCommon(checksum, size, name.count)
    header.append16(isFar ? 12 : 0)
    // Comment, disk, internal attributes, external attributes.
    header += [UInt8](repeating: 0, count: 10)
    header.append32(min(offset, ZipRecord.elsewhere32))
    header += name
    if isFar {
      header.append16(1)
      header.append16(8)
      header.append64(offset)
    }
    directory += header
  }

  /// What local headers and directory records have in common: flags to the name's length.
  private mutating func appendCommon(_ checksum: UInt32, _ size: Int, _ nameSize: Int) {
    header.append16(0)
    header.append16(ZipRecord.stored)
    header.append16(0)
    header.append16(Self.date)
    header.append32(Int(checksum))
    header.append32(size)
    header.append32(size)
    header.append16(nameSize)
  }

  /// Writes the directory and the end record.
  mutating func finish() throws(RasdError) {
    let start = file.size
    var end: [UInt8] = []
    let isLarge =
      entries >= ZipRecord.elsewhere16 || start >= ZipRecord.elsewhere32
      || directory.count >= ZipRecord.elsewhere32
    if isLarge {
      let at = start + directory.count
      end.append32(Int(ZipRecord.end64Signature))
      end.append64(ZipRecord.end64Size - 12)
      end.append16(Self.largeVersion)
      end.append16(Self.largeVersion)
      end.append64(0)
      for value in [entries, entries, directory.count, start] { end.append64(value) }
      end.append32(Int(ZipRecord.locatorSignature))
      end.append32(0)
      end.append64(at)
      end.append32(1)
    }
    end.append32(Int(ZipRecord.endSignature))
    end.append32(0)
    for _ in 0..<2 { end.append16(min(entries, ZipRecord.elsewhere16)) }
    end.append32(min(directory.count, ZipRecord.elsewhere32))
    end.append32(min(start, ZipRecord.elsewhere32))
    end.append16(0)
    try file.write(directory.span)
    try file.write(end.span)
  }
}

extension [UInt8] {
  fileprivate mutating func append16(_ value: Int) { append(value, 2) }
  fileprivate mutating func append32(_ value: Int) { append(value, 4) }
  fileprivate mutating func append64(_ value: Int) { append(value, 8) }

  private mutating func append(_ value: Int, _ count: Int) {
    for i in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
  }
}
