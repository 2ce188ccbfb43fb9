import RasdCrypto
import RasdModel

/// A part whose seal, checksum, header and compression hold.
struct OpenedPart: Sendable {
  let name: EntryName
  let header: PartHeader
  let buffer: [UInt8]
  /// Where the decoded body lies in the buffer.
  let range: Range<Int>

  var body: Span<UInt8> {
    @_lifetime(borrow self) get { buffer.span.extracting(range) }
  }

  /// What is left to know of a part whose bytes were used.
  var withoutBody: OpenedPart {
    OpenedPart(name: name, header: header, buffer: [], range: 0..<0)
  }
}

/// Turns entries into parts: read, checksum, seal, header, inflate (the format, §Parts).
///
/// One value a worker.
struct PartOpener: ~Copyable {
  private var reader: EntryReader
  private var seal: PartSeal
  private let inflater = Inflater()
  private var plain: [UInt8] = []

  init(_ file: ExportFile, contentKey: ContentKey?) {
    reader = EntryReader(file.source)
    seal = PartSeal(file.manifest, contentKey)
  }

  /// The entry's name, without reading the rest of it.
  mutating func name(of entry: ZipEntry) throws(RasdError) -> EntryName {
    try reader.name(of: entry)
  }

  /// The bytes of an entry that is no part: the manifest or its copy.
  mutating func bytes(of entry: ZipEntry) throws(RasdError) -> [UInt8] {
    let contents = try reader.read(entry)
    return [UInt8](copying: contents.bytes)
  }

  /// Throws `entry-damaged`, `part-order` for a header that breaks its rules, `count-mismatch`
  /// for a body of another length than it says.
  mutating func open(_ entry: ZipEntry) throws(RasdError) -> OpenedPart {
    let contents = try reader.read(entry)
    let name = contents.name
    do throws(PartSeal.Broken) {
      try seal.open(contents.bytes, named: name, into: &plain)
    } catch {
      var damage = RasdError.damaged(name, at: entry.dataOffset + error.offset)
      damage.details["seal"] = .flag(true)
      throw damage
    }
    guard let header = PartHeader(plain.span) else {
      throw RasdError(.integrity, .partOrder, RasdError.place(name, entry.dataOffset))
    }
    let body = PartHeader.size..<plain.count
    guard header.isDeflated else {
      guard body.count == header.decodedSize else { throw Self.otherSize(name, entry) }
      defer { plain = [] }
      return OpenedPart(name: name, header: header, buffer: plain, range: body)
    }
    var buffer: [UInt8] = []
    let packed = plain
    switch inflater.inflate(
      packed.span.extracting(body),
      size: header.decodedSize,
      into: &buffer
    )
    {
    case .whole:
      return OpenedPart(name: name, header: header, buffer: buffer, range: 0..<buffer.count)
    case .damaged: throw RasdError.damaged(name, at: entry.dataOffset)
    case .otherSize: throw Self.otherSize(name, entry)
    }
  }

  private static func otherSize(_ name: EntryName, _ entry: ZipEntry) -> RasdError {
    RasdError(.integrity, .countMismatch, RasdError.place(name, entry.dataOffset))
  }
}
