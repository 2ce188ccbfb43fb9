package import RasdModel

extension ExportReader {
  /// A part of a blob that is read by itself.
  package struct LonePart: Sendable {
    package let id: BlobID
    package let isFirst: Bool
    package let isLast: Bool
  }

  /// Gives the parts of some blobs, in file order, and reads nothing else.
  ///
  /// A part that does not open is passed over, and so is what follows of its blob: whether what
  /// came makes a whole one, its hash says.
  package func forEachPart(
    of wanted: Set<BlobID>,
    _ body: (LonePart, Span<UInt8>) throws(RasdError) -> Void
  ) throws(RasdError) {
    var opener = opener()
    var damaged: Set<BlobID> = []
    for entry in file.entries {
      guard case .blob(let id, let number)? = try? opener.name(of: entry), wanted.contains(id),
        !damaged.contains(id)
      else { continue }
      guard let part = try? opener.open(entry) else {
        damaged.insert(id)
        continue
      }
      let facts = LonePart(id: id, isFirst: number == 0, isLast: part.header.isLast)
      try body(facts, part.body)
    }
  }
}
