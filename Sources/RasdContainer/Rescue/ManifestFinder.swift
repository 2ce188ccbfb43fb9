import RasdModel

/// Finds the manifest of a damaged export by its first bytes, or what is left of it (the format,
/// §Salvage): the id, the commitment and one slot are enough to open rows.
enum ManifestFinder {
  struct Found {
    let manifest: Manifest
    /// Whether it is whole; one put together from pieces can't open what is bound to its bytes.
    let isWhole: Bool
    /// Others that are whole and say something else: one of them may be right where a bit of the
    /// first is not.
    let others: [Manifest]
  }

  /// Of an export there are two, and of what it holds there may be more.
  private static let most = 8

  static func find(in source: ByteSource) throws(RasdError) -> Found? {
    var whole: [Manifest] = []
    try PatternFinder(Manifest.head, in: source).forEach { (offset) throws(RasdError) in
      guard whole.count < most else { return }
      let bytes = try source.read(at: offset, count: min(Manifest.longest, source.size - offset))
      guard let range = object(bytes, at: 0), let manifest = try? Manifest(Array(bytes[range])),
        !whole.contains(where: { $0.bytes == manifest.bytes })
      else { return }
      whole.append(manifest)
    }
    if let first = whole.first {
      return Found(manifest: first, isWhole: true, others: Array(whole.dropFirst()))
    }
    var found: Manifest?
    for marker in ["\"exportId\":", "\"keyCommit\":", "\"slots\":"] where found == nil {
      try PatternFinder(Array(marker.utf8), in: source).forEach { (offset) throws(RasdError) in
        guard found == nil else { return }
        let start = max(0, offset - Manifest.longest / 2)
        let end = min(source.size, offset + Manifest.longest / 2)
        found = pieces(try source.read(at: start, count: end - start))
      }
    }
    return found.map { Found(manifest: $0, isWhole: false, others: []) }
  }

  /// A manifest of what can be read of the members that opening needs.
  private static func pieces(_ bytes: [UInt8]) -> Manifest? {
    guard let id = string("exportId", in: bytes), let commitment = string("keyCommit", in: bytes)
    else { return nil }
    var slots: [String] = []
    var at = 0
    let marker = Array(#"{"type":"#.utf8)
    while let start = index(of: marker, in: bytes, from: at) {
      at = start + marker.count
      guard let range = object(bytes, at: start), (try? JSONValue.parse(Array(bytes[range]))) != nil
      else { continue }
      slots.append(String(decoding: bytes[range], as: UTF8.self))
    }
    guard !slots.isEmpty else { return nil }
    let suite = string("suite", in: bytes) ?? Suite.chunked.rawValue
    let namespace = string("namespace", in: bytes) ?? Namespace.unnamed.text
    let exportedAt = string("exportedAt", in: bytes) ?? ""
    let text = """
      {"rasdx":1,"rasd":"1.0","exportId":"\(id)","storageVersion":1,"namespace":"\(namespace)",\
      "exportedAt":"\(exportedAt)","tables":[],"suite":"\(suite)","keyCommit":"\(commitment)",\
      "slots":[\(slots.joined(separator: ","))]}
      """
    return try? Manifest(Array(text.utf8))
  }

  /// A member's text, where it is plain and ends.
  private static func string(_ name: String, in bytes: [UInt8]) -> String? {
    let marker = Array("\"\(name)\":\"".utf8)
    guard let start = index(of: marker, in: bytes, from: 0).map({ $0 + marker.count }),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\"")),
      bytes[start..<end].allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private static func index(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var at = start
    while at + pattern.count <= bytes.count {
      if bytes[at] == pattern[0], bytes[at..<(at + pattern.count)].elementsEqual(pattern) {
        return at
      }
      at += 1
    }
    return nil
  }

  /// Where the JSON object that begins at `start` ends; nil where it does not.
  private static func object(_ bytes: [UInt8], at start: Int) -> Range<Int>? {
    var depth = 0
    var isInString = false
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where isInString: at += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString:
        depth -= 1
        if depth == 0 { return start..<(at + 1) }
      default: break
      }
      at += 1
    }
    return nil
  }
}
