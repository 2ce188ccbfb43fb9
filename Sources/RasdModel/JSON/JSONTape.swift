/// A JSON text as one flat list of its values, proved well-formed, with the order of each
/// object's members in canonical form.
///
/// Parsing again reuses the memory of the parse before. The tape holds places in the text,
/// not the text: whoever reads it brings the same bytes again.
package struct JSONTape: ~Copyable {
  package enum Kind: UInt8, Sendable { case null, bool, number, string, array, object }

  /// One value in 32 bytes, followed on the tape by those it holds.
  struct Node {
    var kind = Kind.null
    var flags: Flags = [.verbatim, .verbatimName]
    var nameID = NameIndex.none
    /// The value's text.
    var start: UInt32 = 0
    var end: UInt32 = 0
    /// The name's text with its quotes; empty where the value is no member.
    var nameStart: UInt32 = 0
    var nameEnd: UInt32 = 0
    /// The node after this value and all that it holds.
    var next: UInt32 = 0
    /// Where an object's members begin in `order`, or the canonical text of a number that
    /// is not verbatim in `numbers`.
    var extra: UInt32 = 0
    /// How many members or items, or how long that text is.
    var count: UInt32 = 0

    var isVerbatim: Bool { flags.contains(.verbatim) }
    var isVerbatimMember: Bool { flags.contains(.verbatimMember) }
    var nameIsVerbatim: Bool { flags.contains(.verbatimName) }
    var nameHasEscape: Bool { flags.contains(.escapedName) }

    /// Settles whether the value, and the member it makes, can be copied as they stand.
    @inline(__always)
    mutating func settle(isVerbatim: Bool) {
      if !isVerbatim {
        flags.remove([.verbatim, .verbatimMember])
      } else if nameIsVerbatim, nameEnd &+ 1 == start {
        flags.insert(.verbatimMember)
      }
    }
  }

  struct Flags: OptionSet {
    let rawValue: UInt8

    /// The value's text is its own canonical form.
    static let verbatim = Flags(rawValue: 1)
    /// The name's text is.
    static let verbatimName = Flags(rawValue: 2)
    /// The member's text, from name to end of value, is.
    static let verbatimMember = Flags(rawValue: 4)
    static let escapedName = Flags(rawValue: 8)
    /// The value is a string with escapes.
    static let escaped = Flags(rawValue: 16)
  }

  /// What stands beside the nodes.
  struct Parts {
    /// Node numbers of members, each object's in canonical order, one object after another.
    var order: [UInt32] = []
    /// Canonical texts of numbers that were written otherwise.
    var numbers: [UInt8] = []
    var names = NameIndex()
  }

  /// Room for nodes, more than are in use.
  private(set) var nodes: [Node] = []
  private(set) var parts = Parts()
  private var state = ParseState()

  package init() {}

  /// Offsets are kept in 32 bits.
  private static let lengthLimit = Int(UInt32.max) - 1
  private static let firstNodes = 64
  /// A tape that one large text made longer gives its memory back before the next: 2 MiB.
  private static let nodesToKeep = 1 << 16

  /// Reads the one value that `bytes` holds.
  package mutating func parse(_ bytes: Span<UInt8>, rules: JSONRules = .strict) throws(JSONError) {
    guard bytes.count <= Self.lengthLimit else { throw JSONError(.tooLong, at: Self.lengthLimit) }
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw JSONError(.byteOrderMark, at: 0)
    }
    if nodes.isEmpty || nodes.count > Self.nodesToKeep {
      nodes = Array(repeating: Node(), count: Self.firstNodes)
      parts.order = []
      parts.numbers = []
    }
    parts.order.removeAll(keepingCapacity: true)
    parts.numbers.removeAll(keepingCapacity: true)
    parts.names.beginText()
    state.start(bytes, rules)
    try Self.run(bytes, &state, &nodes, &parts)
  }

  /// The three apart, as the compiler must see that they are.
  private static func run(
    _ bytes: Span<UInt8>,
    _ state: inout ParseState,
    _ nodes: inout [Node],
    _ parts: inout Parts
  ) throws(JSONError) {
    while true {
      var room = nodes.mutableSpan
      if try state.run(bytes, &room, &parts) { return }
      nodes.append(contentsOf: repeatElement(Node(), count: nodes.count))
    }
  }
}
