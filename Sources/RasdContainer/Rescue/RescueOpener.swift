import RasdCrypto
import RasdModel

/// What opened of an entry: its header and the good pieces of its body.
struct RescuedPart {
  let header: PartHeader
  let buffer: [UInt8]
  /// Good ranges of the decoded body as they lie in `buffer`, ascending.
  let good: [Range<Int>]
  /// Where the body begins in `buffer`.
  let bodyStart: Int
  let isWhole: Bool
  /// Where the entry ends in the file, as far as that is known.
  let end: Int
}

/// Opens entries that may be damaged; one value for a rescue.
struct RescueOpener: ~Copyable {
  private let source: ByteSource
  private let suite: Suite
  private var seal: PartSeal
  private let inflater = Inflater()

  /// A sealed full part and its overhead: no entry is longer.
  private static let longestEntry = PartHeader.longestBody + (1 << 17)

  init(_ export: DamagedExport, _ key: ContentKey?) {
    source = export.source
    suite = export.manifest.suite
    seal = PartSeal(export.manifest, key)
  }

  /// Nil where nothing of the entry opens.
  mutating func open(_ entry: FoundEntry) throws(RasdError) -> RescuedPart? {
    // The length that the archive gives first: it is the right one unless it was hit itself.
    for end in [entry.saidEnd, entry.limit].compactMap(\.self) where end > entry.dataOffset {
      let stored = min(end, source.size) - entry.dataOffset
      guard stored > 0, stored <= Self.longestEntry else { continue }
      var sealed = try source.read(at: entry.dataOffset, count: stored)
      if entry.isDeflated {
        var inflated: [UInt8] = []
        _ = inflater.inflate(sealed.span, size: Self.longestEntry, into: &inflated)
        sealed = inflated
      }
      if let part = whole(sealed, entry, end: entry.dataOffset + stored) { return part }
    }
    let stored = min(entry.saidEnd ?? entry.limit, entry.limit, source.size) - entry.dataOffset
    guard stored > 0, !entry.isDeflated else { return nil }
    let count = min(stored, Self.longestEntry)
    let sealed = try source.read(at: entry.dataOffset, count: count)
    return inPart(sealed, entry, end: entry.dataOffset + count)
  }

  private mutating func whole(_ sealed: [UInt8], _ entry: FoundEntry, end: Int) -> RescuedPart? {
    var plain: [UInt8] = []
    guard (try? seal.open(sealed.span, named: entry.name, into: &plain)) != nil,
      let header = PartHeader(plain.span)
    else { return nil }
    return decode(plain, header, holes: [], end: end)
  }

  /// The chunks that open of one that does not open whole.
  private mutating func inPart(_ sealed: [UInt8], _ entry: FoundEntry, end: Int) -> RescuedPart? {
    guard let rescued = seal.rescue(sealed.span, named: entry.name),
      rescued.prefixCount >= PartHeader.size, let header = PartHeader(rescued.bytes.span)
    else { return nil }
    return decode(rescued.bytes, header, holes: rescued.holes, end: end)
  }

  private func decode(
    _ plain: [UInt8],
    _ header: PartHeader,
    holes: [Range<Int>],
    end: Int
  ) -> RescuedPart {
    if header.isDeflated {
      let packed = PartHeader.size..<(holes.first?.lowerBound ?? plain.count)
      var body: [UInt8] = []
      let outcome = inflater.inflate(
        plain.span.extracting(packed),
        size: header.decodedSize,
        into: &body
      )
      return RescuedPart(
        header: header,
        buffer: body,
        good: body.isEmpty ? [] : [0..<body.count],
        bodyStart: 0,
        isWhole: outcome == .whole && holes.isEmpty,
        end: end
      )
    }
    var good: [Range<Int>] = []
    var at = PartHeader.size
    let limit = min(plain.count, PartHeader.size + header.decodedSize)
    for hole in holes {
      if hole.lowerBound > at { good.append(at..<min(hole.lowerBound, limit)) }
      at = max(at, hole.upperBound)
    }
    if at < limit { good.append(at..<limit) }
    return RescuedPart(
      header: header,
      buffer: plain,
      good: good,
      bodyStart: PartHeader.size,
      isWhole: holes.isEmpty && plain.count == PartHeader.size + header.decodedSize,
      end: end
    )
  }
}
