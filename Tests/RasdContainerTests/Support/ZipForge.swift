import RasdModel
import TestSupport

@testable import RasdContainer

/// Archives with any structure, right or wrong, around given entries.
struct ZipForge {
  struct Entry {
    var name: [UInt8]
    var data: [UInt8]
    /// Both headers, unless one says otherwise.
    var flags = 0
    var method = 0
    var checksum: UInt32
    var storedSize: Int
    var size: Int
    var localFlags: Int?
    var localMethod: Int?
    var localName: [UInt8]?
    var localChecksum: UInt32?
    var localStoredSize: Int?
    var localSize: Int?
    var localExtra: [UInt8] = []
    var centralExtra: [UInt8] = []
    var descriptor: [UInt8] = []
    var madeBy = 20
    var attributes = 0
    var offset: Int?
    /// Left out of the directory, or without a local header of its own.
    var isHidden = false
    var sharesLocalHeader = false

    init(_ name: String, _ data: [UInt8]) { self.init(Array(name.utf8), data) }

    init(_ name: [UInt8], _ data: [UInt8]) {
      self.name = name
      self.data = data
      checksum = Checksum.crc32(data.span)
      (storedSize, size) = (data.count, data.count)
    }

    /// As a writer does that can't seek back.
    mutating func stream(signature: Bool = true, width: Int = 4) {
      flags |= 8
      (localChecksum, localStoredSize, localSize) = (0, 0, 0)
      descriptor = signature ? ZipForge.number(0x0807_4B50, 4) : []
      descriptor += ZipForge.number(Int(checksum), 4)
      descriptor += ZipForge.number(storedSize, width) + ZipForge.number(size, width)
    }

    /// Deflated by ZIP itself.
    mutating func deflate(_ level: Int = 6) {
      guard let packed = Deflater().deflate(data.span) else { return }
      data = packed
      storedSize = packed.count
      method = 8
    }
  }

  var entries: [Entry]
  var prefix: [UInt8] = []
  var prefixIsCounted = false
  var gap: [UInt8] = []
  var trailing: [UInt8] = []
  var comment: [UInt8] = []
  var commentSize: Int?
  var count: Int?
  var countOnDisk: Int?
  var directorySize: Int?
  var directoryOffset: Int?
  var disk = 0
  var hasEnd = true
  var hasLargeEnd = false
  var largeCount: Int?
  var largeOffset: Int?
  var locatorOffset: Int?

  init(_ entries: [Entry]) { self.entries = entries }

  /// The entries of a good archive.
  init(of archive: [UInt8]) throws {
    let folder = try TemporaryDirectory()
    let source = try ByteSource(path: folder.write(archive, to: "a"))
    var rules = ExportZipRules(source: source)
    let directory = try ZipDirectory(of: source, rules: &rules)
    entries = try directory.entries.map { entry in
      let name = try source.read(at: entry.offset + 30, count: Int(entry.nameSize))
      return Entry(name, try source.read(at: entry.dataOffset, count: entry.storedSize))
    }
  }

  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func extra(_ id: Int, _ values: [UInt8]) -> [UInt8] {
    number(id, 2) + number(values.count, 2) + values
  }

  func build() -> [UInt8] {
    let n = Self.number
    var file = prefix
    let base = prefixIsCounted ? 0 : prefix.count
    var directory: [UInt8] = []
    var listed = 0
    var lastOffset = 0
    for entry in entries {
      if !entry.sharesLocalHeader {
        lastOffset = file.count - base
        let name = entry.localName ?? entry.name
        file += n(0x0403_4B50, 4) + n(20, 2) + n(entry.localFlags ?? entry.flags, 2)
        file += n(entry.localMethod ?? entry.method, 2) + n(0, 2) + n(0x21, 2)
        file += n(Int(entry.localChecksum ?? entry.checksum), 4)
        file += n(entry.localStoredSize ?? entry.storedSize, 4)
        file += n(entry.localSize ?? entry.size, 4)
        file += n(name.count, 2) + n(entry.localExtra.count, 2)
        file += name + entry.localExtra + entry.data + entry.descriptor
      }
      guard !entry.isHidden else { continue }
      listed += 1
      directory += n(0x0201_4B50, 4) + n(entry.madeBy, 2) + n(20, 2) + n(entry.flags, 2)
      directory += n(entry.method, 2) + n(0, 2) + n(0x21, 2) + n(Int(entry.checksum), 4)
      directory += n(entry.storedSize, 4) + n(entry.size, 4) + n(entry.name.count, 2)
      directory += n(entry.centralExtra.count, 2) + n(0, 2) + n(0, 2) + n(0, 2)
      directory += n(entry.attributes, 4) + n(entry.offset ?? lastOffset, 4)
      directory += entry.name + entry.centralExtra
    }
    file += gap
    let offset = file.count - base
    file += directory
    if hasLargeEnd {
      let at = file.count - base
      let count = largeCount ?? listed
      file += n(0x0606_4B50, 4) + n(44, 8) + n(45, 2) + n(45, 2) + n(0, 4) + n(0, 4)
      file += n(count, 8) + n(count, 8) + n(directory.count, 8) + n(largeOffset ?? offset, 8)
      file += n(0x0706_4B50, 4) + n(0, 4) + n(locatorOffset ?? at, 8) + n(1, 4)
    }
    if hasEnd {
      let large = hasLargeEnd
      file += n(0x0605_4B50, 4) + n(disk, 2) + n(disk, 2)
      file += n(countOnDisk ?? (large ? 0xFFFF : count ?? listed), 2)
      file += n(large ? 0xFFFF : count ?? listed, 2)
      file += n(large ? 0xFFFF_FFFF : directorySize ?? directory.count, 4)
      file += n(large ? 0xFFFF_FFFF : directoryOffset ?? offset, 4)
      file += n(commentSize ?? comment.count, 2) + comment
    }
    return file + trailing
  }
}
