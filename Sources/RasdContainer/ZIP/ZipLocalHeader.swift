import RasdModel

/// An entry's local header and what follows its bytes, held against the directory.
enum ZipLocalHeader {
  /// Extra fields are rarely longer; a longer one costs a second read.
  private static let usualExtra = 64

  /// Proves that the entry fills the file from its local header to `next` exactly.
  static func prove(
    _ candidate: ZipCandidate,
    endingAt next: Int,
    in source: ByteSource,
    _ buffer: inout [UInt8]
  ) throws(RasdError) -> ZipEntry {
    func fail(_ flaw: ZipFlaw) -> RasdError {
      flaw.error(entry: candidate.name, at: candidate.offset)
    }
    let fixed = ZipRecord.localSize + candidate.name.count
    let room = next - candidate.offset
    guard room >= fixed else { throw fail(.overlap) }
    try source.read(at: candidate.offset, count: min(room, fixed + usualExtra), into: &buffer)
    guard buffer.span.u32(0) == ZipRecord.localSignature,
      buffer.span.u16(26) == candidate.name.count
    else { throw fail(.localHeader) }
    let headerSize = fixed + buffer.span.u16(28)
    guard room >= headerSize else { throw fail(.overlap) }
    if headerSize > buffer.count {
      try source.read(at: candidate.offset, count: headerSize, into: &buffer)
    }
    let isLarge: Bool
    do {
      isLarge = try compare(buffer.span.extracting(..<headerSize), candidate)
    } catch {
      throw fail(error)
    }
    let entry = ZipEntry(
      offset: candidate.offset,
      headerSize: UInt32(headerSize),
      nameSize: UInt16(candidate.name.count),
      isDeflated: candidate.method == ZipRecord.deflated,
      isFolder: candidate.name.last == UInt8(ascii: "/"),
      checksum: candidate.checksum,
      storedSize: candidate.storedSize,
      size: candidate.size
    )
    guard entry.dataEnd <= next else { throw fail(.overlap) }
    let rest = next - entry.dataEnd
    if candidate.flags & ZipRecord.hasDescriptor == 0 {
      guard rest == 0 else { throw fail(.gap) }
    } else {
      guard let shape = DescriptorShape(length: rest, isLarge: isLarge) else {
        throw fail(rest < 12 ? .descriptor : .gap)
      }
      try source.read(at: entry.dataEnd, count: rest, into: &buffer)
      guard shape.matches(buffer.span, candidate) else { throw fail(.descriptor) }
    }
    return entry
  }

  /// Compares everything that both headers say; true where the local one has a ZIP64 field.
  private static func compare(
    _ header: Span<UInt8>,
    _ candidate: ZipCandidate
  ) throws(ZipFlaw) -> Bool {
    let nameEnd = ZipRecord.localSize + candidate.name.count
    let name = header.extracting(ZipRecord.localSize..<nameEnd)
    guard name.equals(candidate.name.span) else { throw .localName }
    guard header.u16(6) == candidate.flags else { throw .localFlags }
    guard header.u16(8) == candidate.method else { throw .localMethod }
    let extra = header.extracting(nameEnd...)
    let fields = try ZipExtra(extra, name: name)
    var sizes = [header.int32(22), header.int32(18)]
    try fields.resolve(extra, &sizes, bothSizes: true)
    // A writer that did not know them yet left zeros and wrote a descriptor behind the bytes.
    let mayBeZero = candidate.flags & ZipRecord.hasDescriptor != 0
    func agrees(_ local: Int, _ listed: Int) -> Bool {
      local == listed || (mayBeZero && local == 0)
    }
    guard agrees(sizes[0], candidate.size), agrees(sizes[1], candidate.storedSize) else {
      throw .localSize
    }
    guard agrees(header.int32(14), Int(candidate.checksum)) else { throw .localChecksum }
    return fields.isLarge
  }
}

/// A data descriptor (APPNOTE §4.3.9), with or without its signature.
///
/// Its sizes have eight bytes where the local header has a ZIP64 field. Each shape has a length
/// of its own, so that what lies between an entry and the next is never read in two ways.
private struct DescriptorShape {
  private let hasSignature: Bool
  private let hasLongSizes: Bool

  init?(length: Int, isLarge: Bool) {
    switch (length, isLarge) {
    case (12, _): (hasSignature, hasLongSizes) = (false, false)
    case (16, _): (hasSignature, hasLongSizes) = (true, false)
    case (20, true): (hasSignature, hasLongSizes) = (false, true)
    case (24, true): (hasSignature, hasLongSizes) = (true, true)
    default: return nil
    }
  }

  func matches(_ bytes: Span<UInt8>, _ candidate: ZipCandidate) -> Bool {
    let at = hasSignature ? 4 : 0
    guard !hasSignature || bytes.u32(0) == ZipRecord.descriptorSignature,
      bytes.u32(at) == candidate.checksum
    else { return false }
    let stored = hasLongSizes ? bytes.int64(at + 4) : bytes.int32(at + 4)
    let size = hasLongSizes ? bytes.int64(at + 12) : bytes.int32(at + 8)
    return stored == candidate.storedSize && size == candidate.size
  }
}
