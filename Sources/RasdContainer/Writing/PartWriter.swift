import RasdCrypto
import RasdModel

/// Turns parts into entries: header, deflate, seal, write.
struct PartWriter: ~Copyable {
  private var zip: ZipWriter
  private var seal: PartSeal
  private let deflater = Deflater()
  private var plain: [UInt8] = []
  private var sealed: [UInt8] = []

  init(_ zip: consuming ZipWriter, _ manifest: Manifest, _ key: ContentKey?) {
    self.zip = zip
    seal = PartSeal(manifest, key)
  }

  var entries: Int { zip.entries }

  /// Writes a part as it is; the header's length is the body's.
  mutating func add(
    _ name: EntryName,
    _ header: PartHeader,
    _ body: Span<UInt8>
  ) throws(RasdError) {
    var header = header
    header.decodedSize = body.count
    try write(name, header, body)
  }

  /// Writes a part deflated where that makes it smaller.
  mutating func addDeflated(
    _ name: EntryName,
    _ header: PartHeader,
    _ body: Span<UInt8>
  ) throws(RasdError) {
    guard let deflated = deflater.deflate(body) else { return try add(name, header, body) }
    var header = header
    header.isDeflated = true
    header.decodedSize = body.count
    try write(name, header, deflated.span)
  }

  /// Writes an entry that is no part: the manifest or its copy.
  mutating func addPlain(_ name: EntryName, _ bytes: [UInt8]) throws(RasdError) {
    try zip.add(name.bytes, bytes.span)
  }

  mutating func finish() throws(RasdError) { try zip.finish() }

  private mutating func write(
    _ name: EntryName,
    _ header: PartHeader,
    _ stored: Span<UInt8>
  ) throws(RasdError) {
    plain.removeAll(keepingCapacity: true)
    header.write(to: &plain)
    plain.append(bytes: stored)
    sealed.removeAll(keepingCapacity: true)
    let part = plain
    seal.seal(part.span, named: name, to: &sealed)
    let entry = sealed
    try zip.add(name.bytes, entry.span)
  }
}
