/// SQLite's binary JSON (sqlite.org/jsonb.html), decoded to JSON text.
///
/// Stricter than `json_valid(…, 8)`: text must also be UTF-8. Order, doubled names and the
/// spelling of numbers stay as they are; what JSON5 allows and JSON does not is rewritten as
/// SQLite's `json()` does.
enum JSONB {
  /// SQLite's own limit, `JSON_MAX_DEPTH`.
  static let maximumDepth = 1_000

  /// Why a BLOB is no JSONB, and the offset of the element at fault.
  struct Fault: Error, Hashable, Sendable {
    let offset: Int
  }

  /// An element's type, the low four bits of its first byte.
  private enum ElementType: UInt8 {
    case null = 0
    case `true`, `false`, int, int5, float, float5, text, textJ, text5, textRaw, array, object

    var isText: Bool { rawValue >= 7 && rawValue <= 10 }
  }

  /// An array or object whose elements are being written.
  private struct Open {
    let end: Int
    let isObject: Bool
    var count = 0
  }

  /// Appends the JSON text of a BLOB that holds exactly one element.
  static func write(_ blob: Span<UInt8>, to out: inout [UInt8]) throws(Fault) {
    var at = 0
    var open: [Open] = []
    repeat {
      if let top = open.last, at == top.end {
        guard !top.isObject || top.count.isMultiple(of: 2) else { throw Fault(offset: at) }
        out.append(UInt8(ascii: top.isObject ? "}" : "]"))
        open.removeLast()
        continue
      }
      let limit = open.last?.end ?? blob.count
      let (type, content) = try header(blob, at, limit)
      var isName = false
      if let top = open.indices.last {
        isName = open[top].isObject && open[top].count.isMultiple(of: 2)
        if open[top].count > 0 {
          out.append(UInt8(ascii: isName || !open[top].isObject ? "," : ":"))
        }
        open[top].count += 1
      } else {
        guard content.upperBound == blob.count else { throw Fault(offset: at) }
      }
      guard !isName || type.isText else { throw Fault(offset: at) }
      if type == .array || type == .object {
        guard open.count < maximumDepth else { throw Fault(offset: at) }
        out.append(UInt8(ascii: type == .object ? "{" : "["))
        open.append(Open(end: content.upperBound, isObject: type == .object))
        at = content.lowerBound
      } else {
        try scalar(type, blob.extracting(content), at, &out)
        at = content.upperBound
      }
    } while !open.isEmpty
  }

  private static func header(
    _ blob: Span<UInt8>,
    _ at: Int,
    _ limit: Int
  ) throws(Fault) -> (ElementType, Range<Int>) {
    guard at < limit, let type = ElementType(rawValue: blob[at] & 0x0F) else {
      throw Fault(offset: at)
    }
    let nibble = Int(blob[at] >> 4)
    var size = nibble
    var start = at + 1
    if nibble >= 12 {
      let width = 1 << (nibble - 12)
      guard start + width <= limit else { throw Fault(offset: at) }
      var value: UInt64 = 0
      for i in 0..<width { value = value << 8 | UInt64(blob[start + i]) }
      start += width
      guard let exact = Int(exactly: value) else { throw Fault(offset: at) }
      size = exact
    }
    guard size <= limit - start else { throw Fault(offset: at) }
    return (type, start..<start + size)
  }

  private static func scalar(
    _ type: ElementType,
    _ content: Span<UInt8>,
    _ at: Int,
    _ out: inout [UInt8]
  ) throws(Fault) {
    let ok: Bool
    switch type {
    case .null, .true, .false:
      out.append(contentsOf: (type == .null ? "null" : type == .true ? "true" : "false").utf8)
      ok = content.isEmpty
    case .int: ok = JSONBNumber.copy(content, fraction: false, to: &out)
    case .float: ok = JSONBNumber.copy(content, fraction: true, to: &out)
    case .int5: ok = JSONBNumber.writeInt5(content, to: &out)
    case .float5: ok = JSONBNumber.writeFloat5(content, to: &out)
    case .text: ok = JSONBText.copy(content, escapes: false, to: &out)
    case .textJ: ok = JSONBText.copy(content, escapes: true, to: &out)
    case .text5: ok = JSONBText.writeText5(content, to: &out)
    case .textRaw: ok = JSONBText.writeRaw(content, to: &out)
    case .array, .object: ok = false
    }
    guard ok else { throw Fault(offset: at) }
  }
}

extension JSONB {
  /// Whether the outer header alone fits the BLOB exactly, as SQLite tells JSONB from others.
  static func fills(_ blob: Span<UInt8>) -> Bool {
    guard let (_, content) = try? header(blob, 0, blob.count) else { return false }
    return content.upperBound == blob.count
  }
}
