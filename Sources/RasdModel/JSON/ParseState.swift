/// Where a parse stands; it stops at a value when the tape is full, and goes on when there
/// is room.
struct ParseState {
  /// A container whose end is still to come.
  private struct Frame {
    var node = 0
    var isObject = false
    /// Whether all of it so far is written as the canonical form writes it.
    var isVerbatim = true
    var count: UInt32 = 0
  }

  // Kept here only between runs: while one lasts they are its own, in registers.
  private var at = 0
  private var used = 0
  private var frame = Frame()
  private var outer: [Frame] = []
  private var rules = JSONRules.strict
  private var order = MemberOrder()

  mutating func start(_ bytes: Span<UInt8>, _ rules: JSONRules) {
    at = JSONScan.skipSpace(bytes, from: 0)
    used = 0
    frame = Frame()
    outer.removeAll(keepingCapacity: true)
    self.rules = rules
  }

  /// Reads to the end of the text, true, or until `nodes` is full, false.
  mutating func run(
    _ bytes: Span<UInt8>,
    _ nodes: inout MutableSpan<JSONTape.Node>,
    _ parts: inout JSONTape.Parts
  ) throws(JSONError) -> Bool {
    var at = at
    var used = used
    var frame = frame
    values: while used < nodes.count {
      var node = JSONTape.Node()
      if frame.isObject {
        let name = try Self.name(bytes, &at)
        node.nameStart = UInt32(truncatingIfNeeded: name.start)
        node.nameEnd = UInt32(truncatingIfNeeded: name.end)
        if name.hasEscape {
          node.flags.insert(.escapedName)
          if !name.isVerbatim { node.flags.remove(.verbatimName) }
        } else {
          node.nameID = parts.names.find(bytes, from: name.start + 1, to: name.end - 1)
        }
      }
      guard at < bytes.count else {
        throw JSONError(used == 0 ? .empty : .unexpectedEnd, at: at)
      }
      node.start = UInt32(truncatingIfNeeded: at)
      node.next = UInt32(truncatingIfNeeded: used + 1)
      var isVerbatim = true
      var opens = false
      switch bytes[at] {
      case UInt8(ascii: "\""):
        let text = try JSONScan.string(bytes, from: at)
        node.kind = .string
        isVerbatim = text.isVerbatim
        if text.hasEscape { node.flags.insert(.escaped) }
        at = text.end
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let number = try JSONScan.number(bytes, from: at)
        node.kind = .number
        isVerbatim = number.isVerbatim
        if !number.isVerbatim {
          try Self.rewrite(&node, at, number.end, bytes, &parts.numbers)
        }
        at = number.end
      case UInt8(ascii: "t"):
        node.kind = .bool
        at = try JSONScan.literal("true", bytes, from: at)
      case UInt8(ascii: "f"):
        node.kind = .bool
        at = try JSONScan.literal("false", bytes, from: at)
      case UInt8(ascii: "n"):
        at = try JSONScan.literal("null", bytes, from: at)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        node.kind = bytes[at] == UInt8(ascii: "{") ? .object : .array
        guard outer.count < rules.depth else { throw JSONError(.tooDeep, at: at) }
        let inside = JSONScan.skipSpace(bytes, from: at + 1)
        isVerbatim = inside == at + 1
        at = inside
        guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
        opens = bytes[at] != (node.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        if !opens { at += 1 }
      default:
        throw JSONError(.unexpectedByte, at: at)
      }
      node.end = UInt32(truncatingIfNeeded: at)
      node.settle(isVerbatim: isVerbatim)
      if !(frame.isObject ? node.isVerbatimMember : isVerbatim) { frame.isVerbatim = false }
      frame.count &+= 1
      nodes[used] = node
      used += 1
      if opens {
        outer.append(frame)
        frame = Frame(
          node: used - 1,
          isObject: node.kind == .object,
          isVerbatim: isVerbatim
        )
        continue
      }
      // Close what the value ends, up to where the next one begins.
      while !outer.isEmpty {
        Self.skipSpace(bytes, &at, &frame)
        guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
        let byte = bytes[at]
        guard byte != UInt8(ascii: ",") else {
          at += 1
          Self.skipSpace(bytes, &at, &frame)
          continue values
        }
        guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw JSONError(.unexpectedByte, at: at)
        }
        at += 1
        try close(&frame, at, used, bytes, &nodes, &parts)
      }
      at = JSONScan.skipSpace(bytes, from: at)
      guard at == bytes.count else { throw JSONError(.trailingBytes, at: at) }
      return true
    }
    self.at = at
    self.used = used
    self.frame = frame
    return false
  }

  /// A member's name; moves to its value.
  @inline(__always)
  private static func name(_ bytes: Span<UInt8>, _ at: inout Int) throws(JSONError) -> JSONScan.Text
  {
    guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
    guard bytes[at] == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: at) }
    let name = try JSONScan.string(bytes, from: at)
    at = JSONScan.skipSpace(bytes, from: name.end)
    guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
    guard bytes[at] == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: at) }
    at = JSONScan.skipSpace(bytes, from: at + 1)
    return name
  }

  /// Space between tokens, which no canonical form has.
  @inline(__always)
  private static func skipSpace(_ bytes: Span<UInt8>, _ at: inout Int, _ frame: inout Frame) {
    let next = JSONScan.skipSpace(bytes, from: at)
    if next != at { frame.isVerbatim = false }
    at = next
  }

  /// Completes the container that ends at `end`, and goes back to the one around it.
  private mutating func close(
    _ frame: inout Frame,
    _ end: Int,
    _ used: Int,
    _ bytes: Span<UInt8>,
    _ nodes: inout MutableSpan<JSONTape.Node>,
    _ parts: inout JSONTape.Parts
  ) throws(JSONError) {
    var node = nodes[frame.node]
    node.end = UInt32(truncatingIfNeeded: end)
    node.next = UInt32(truncatingIfNeeded: used)
    node.count = frame.count
    var isVerbatim = frame.isVerbatim
    if frame.isObject {
      node.extra = UInt32(truncatingIfNeeded: parts.order.count)
      let isSorted = try order.arrange(
        membersOf: frame.node,
        count: Int(frame.count),
        bytes,
        nodes.span,
        &parts,
        rules
      )
      if !isSorted { isVerbatim = false }
    }
    node.settle(isVerbatim: isVerbatim)
    nodes[frame.node] = node
    frame = outer.removeLast()
    if !(frame.isObject ? node.isVerbatimMember : isVerbatim) { frame.isVerbatim = false }
  }

  /// Writes the canonical text of a number that may be written otherwise.
  private static func rewrite(
    _ node: inout JSONTape.Node,
    _ start: Int,
    _ end: Int,
    _ bytes: Span<UInt8>,
    _ numbers: inout [UInt8]
  ) throws(JSONError) {
    let value = JSONNumber.double(bytes.extracting(start..<end))
    guard value.isFinite else { throw JSONError(.numberOutOfRange, at: start) }
    let first = numbers.count
    ES6Number.append(value, to: &numbers)
    node.extra = UInt32(truncatingIfNeeded: first)
    node.count = UInt32(truncatingIfNeeded: numbers.count - first)
  }
}
