/// A JSON text as one flat list of its values, proved well-formed, with the order of each
/// object's members in canonical form.
///
/// Parsing again reuses the memory of the parse before. The tape holds places in the text,
/// not the text: whoever reads it brings the same bytes again.
package struct JSONTape: ~Copyable {
  /// One value, followed on the tape by those it holds.
  struct Node {
    var kind: Kind
    /// Whether the value's text is its own canonical form.
    var isVerbatim: Bool
    /// Whether the member's text, name and value together, is canonical.
    var isVerbatimMember: Bool
    var nameIsVerbatim: Bool
    var nameHasEscape: Bool
    /// The value's text.
    var start: UInt32
    var end: UInt32
    /// The name's text with its quotes; empty where the value is no member.
    var nameStart: UInt32
    var nameEnd: UInt32
    /// The node after this value and all that it holds.
    var next: UInt32
    /// Objects: where their members begin in `order`. Numbers that are not verbatim: where
    /// their canonical text begins in `numbers`.
    var extra: UInt32
    /// Containers: how many members or items. Numbers: length of the canonical text.
    var count: UInt32
  }

  package enum Kind: UInt8, Sendable { case null, bool, number, string, array, object }

  /// A container whose end is still to come.
  private struct Frame {
    var node: Int
    var firstPending: Int
    var isObject: Bool
    var isVerbatim: Bool
    var count: UInt32
  }

  var nodes: [Node] = []
  /// Node numbers of members, each object's in canonical order, one object after another.
  var order: [UInt32] = []
  /// Canonical texts of numbers that were written otherwise.
  var numbers: [UInt8] = []
  /// Members of the objects that are still open.
  var pending: [MemberSort.Entry] = []
  var sorter = MemberSort()
  private var frames: [Frame] = []

  package init() {}

  /// Offsets are kept in 32 bits.
  private static let lengthLimit = Int(UInt32.max) - 1

  /// Reads the one value that `bytes` holds.
  package mutating func parse(_ bytes: Span<UInt8>, rules: JSONRules = .strict) throws(JSONError) {
    nodes.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    guard bytes.count <= Self.lengthLimit else { throw JSONError(.tooLong, at: Self.lengthLimit) }
    try JSONScan.checkEncoding(bytes)
    var at = JSONScan.skipSpace(bytes, from: 0)
    guard at < bytes.count else { throw JSONError(.empty, at: at) }
    var name = JSONScan.Text(start: at, end: at, isVerbatim: true, hasEscape: false)
    values: while true {
      guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
      switch bytes[at] {
      case UInt8(ascii: "{"):
        try open(.object, at: at, name: name, depth: rules.depth)
        let first = JSONScan.skipSpace(bytes, from: at + 1)
        if first > at + 1 { frames[frames.count - 1].isVerbatim = false }
        at = first
        guard at < bytes.count, bytes[at] == UInt8(ascii: "}") else {
          at = try self.name(bytes, at, &name)
          continue values
        }
        at += 1
        try close(at, bytes, rules)
      case UInt8(ascii: "["):
        try open(.array, at: at, name: name, depth: rules.depth)
        let first = JSONScan.skipSpace(bytes, from: at + 1)
        if first > at + 1 { frames[frames.count - 1].isVerbatim = false }
        at = first
        guard at < bytes.count, bytes[at] == UInt8(ascii: "]") else {
          name = JSONScan.Text(start: at, end: at, isVerbatim: true, hasEscape: false)
          continue values
        }
        at += 1
        try close(at, bytes, rules)
      case UInt8(ascii: "\""):
        let text = try JSONScan.string(bytes, from: at)
        leaf(.string, text.start, text.end, isVerbatim: text.isVerbatim, name)
        at = text.end
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        at = try number(bytes, at, name)
      case UInt8(ascii: "t"):
        at = try literal("true", .bool, bytes, at, name)
      case UInt8(ascii: "f"):
        at = try literal("false", .bool, bytes, at, name)
      case UInt8(ascii: "n"):
        at = try literal("null", .null, bytes, at, name)
      default:
        throw JSONError(.unexpectedByte, at: at)
      }
      // A value is complete: close what it ends, up to the next one.
      while let frame = frames.last {
        let next = JSONScan.skipSpace(bytes, from: at)
        if next > at { frames[frames.count - 1].isVerbatim = false }
        at = next
        guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
        let byte = bytes[at]
        if byte == UInt8(ascii: ",") {
          let next = JSONScan.skipSpace(bytes, from: at + 1)
          if next > at + 1 { frames[frames.count - 1].isVerbatim = false }
          at = next
          if frame.isObject {
            at = try self.name(bytes, at, &name)
          } else {
            name = JSONScan.Text(start: at, end: at, isVerbatim: true, hasEscape: false)
          }
          continue values
        }
        guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw JSONError(.unexpectedByte, at: at)
        }
        at += 1
        try close(at, bytes, rules)
      }
      break
    }
    at = JSONScan.skipSpace(bytes, from: at)
    guard at == bytes.count else { throw JSONError(.trailingBytes, at: at) }
  }

  private mutating func name(
    _ bytes: Span<UInt8>,
    _ start: Int,
    _ name: inout JSONScan.Text
  ) throws(JSONError) -> Int {
    guard start < bytes.count else { throw JSONError(.unexpectedEnd, at: start) }
    guard bytes[start] == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: start) }
    name = try JSONScan.string(bytes, from: start)
    let colon = JSONScan.skipSpace(bytes, from: name.end)
    guard colon < bytes.count else { throw JSONError(.unexpectedEnd, at: colon) }
    guard bytes[colon] == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: colon) }
    let prefix = MemberSort.prefix(bytes, name)
    pending.append(MemberSort.Entry(prefix: prefix, node: UInt32(truncatingIfNeeded: nodes.count)))
    return JSONScan.skipSpace(bytes, from: colon + 1)
  }

  private mutating func literal(
    _ word: StaticString,
    _ kind: Kind,
    _ bytes: Span<UInt8>,
    _ start: Int,
    _ name: JSONScan.Text
  ) throws(JSONError) -> Int {
    let end = try JSONScan.literal(word, bytes, from: start)
    leaf(kind, start, end, isVerbatim: true, name)
    return end
  }

  private mutating func number(
    _ bytes: Span<UInt8>,
    _ start: Int,
    _ name: JSONScan.Text
  ) throws(JSONError) -> Int {
    let text = try JSONScan.number(bytes, from: start)
    leaf(.number, start, text.end, isVerbatim: text.isVerbatim, name)
    if !text.isVerbatim {
      let first = numbers.count
      let value = JSONNumber.double(bytes.extracting(start..<text.end))
      guard value.isFinite else { throw JSONError(.numberOutOfRange, at: start) }
      ES6Number.append(value, to: &numbers)
      let last = nodes.count - 1
      nodes[last].extra = UInt32(truncatingIfNeeded: first)
      nodes[last].count = UInt32(truncatingIfNeeded: numbers.count - first)
    }
    return text.end
  }

  private mutating func leaf(
    _ kind: Kind,
    _ start: Int,
    _ end: Int,
    isVerbatim: Bool,
    _ name: JSONScan.Text
  ) {
    append(kind, start, end, isVerbatim, name)
    finish(nodes.count - 1, isVerbatim)
  }

  private mutating func append(
    _ kind: Kind,
    _ start: Int,
    _ end: Int,
    _ isVerbatim: Bool,
    _ name: JSONScan.Text
  ) {
    nodes.append(
      Node(
        kind: kind,
        isVerbatim: isVerbatim,
        isVerbatimMember: isVerbatim && name.isVerbatim && name.end + 1 == start,
        nameIsVerbatim: name.isVerbatim,
        nameHasEscape: name.hasEscape,
        start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: end),
        nameStart: UInt32(truncatingIfNeeded: name.start),
        nameEnd: UInt32(truncatingIfNeeded: name.end),
        next: UInt32(truncatingIfNeeded: nodes.count + 1),
        extra: 0,
        count: 0
      )
    )
  }

  /// Counts a complete value in the container that holds it.
  private mutating func finish(_ node: Int, _ isVerbatim: Bool) {
    let last = frames.count - 1
    guard last >= 0 else { return }
    frames[last].count += 1
    let canStand = frames[last].isObject ? nodes[node].isVerbatimMember : isVerbatim
    if !canStand { frames[last].isVerbatim = false }
  }

  private mutating func open(
    _ kind: Kind,
    at start: Int,
    name: JSONScan.Text,
    depth: Int
  ) throws(JSONError) {
    guard frames.count < depth else { throw JSONError(.tooDeep, at: start) }
    frames.append(
      Frame(
        node: nodes.count,
        firstPending: pending.count,
        isObject: kind == .object,
        isVerbatim: true,
        count: 0
      )
    )
    append(kind, start, start, false, name)
  }

  private mutating func close(
    _ end: Int,
    _ bytes: Span<UInt8>,
    _ rules: JSONRules
  ) throws(JSONError) {
    let frame = frames.removeLast()
    let node = frame.node
    var isVerbatim = frame.isVerbatim
    if frame.isObject {
      nodes[node].extra = UInt32(truncatingIfNeeded: order.count)
      let wasSorted = try sortMembers(from: frame.firstPending, bytes, rules)
      isVerbatim = isVerbatim && wasSorted
    }
    nodes[node].end = UInt32(truncatingIfNeeded: end)
    nodes[node].next = UInt32(truncatingIfNeeded: nodes.count)
    nodes[node].count = frame.count
    nodes[node].isVerbatim = isVerbatim
    let canStand =
      isVerbatim && nodes[node].nameIsVerbatim && nodes[node].nameEnd + 1 == nodes[node].start
    nodes[node].isVerbatimMember = canStand
    finish(node, isVerbatim)
  }
}
