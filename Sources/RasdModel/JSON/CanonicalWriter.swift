/// Writes the canonical form of a tape's values into room made for it before.
struct CanonicalWriter: ~Copyable, ~Escapable {
  private let source: Span<UInt8>
  private var room: MutableSpan<UInt8>
  /// Where the next byte goes.
  private(set) var at: Int

  @_lifetime(copy source, copy room)
  init(source: Span<UInt8>, room: consuming MutableSpan<UInt8>, at: Int) {
    self.source = source
    self.room = room
    self.at = at
  }

  @_lifetime(self: copy self)
  mutating func write(_ node: Int, of tape: borrowing JSONTape) {
    let value = tape.nodes[node]
    guard !value.isVerbatim else {
      copy(value.start, value.end)
      return
    }
    switch value.kind {
    case .null, .bool: copy(value.start, value.end)
    case .number:
      for i in Int(value.extra)..<Int(value.extra + value.count) { put(tape.parts.numbers[i]) }
    case .string: requote(value.start, value.end)
    case .array:
      put(UInt8(ascii: "["))
      var item = node + 1
      for _ in 0..<value.count {
        write(item, of: tape)
        put(UInt8(ascii: ","))
        item = Int(tape.nodes[item].next)
      }
      close(with: UInt8(ascii: "]"), isEmpty: value.count == 0)
    case .object:
      put(UInt8(ascii: "{"))
      for i in Int(value.extra)..<Int(value.extra + value.count) {
        member(Int(tape.parts.order[i]), of: tape)
      }
      close(with: UInt8(ascii: "}"), isEmpty: value.count == 0)
    }
  }

  /// The object at `node`, noting where each member begins, in canonical order, and where
  /// the last one's comma would end.
  @_lifetime(self: copy self)
  mutating func write(
    object node: Int,
    of tape: borrowing JSONTape,
    places: inout [Int]
  ) {
    let value = tape.nodes[node]
    put(UInt8(ascii: "{"))
    for i in Int(value.extra)..<Int(value.extra + value.count) {
      places.append(at)
      member(Int(tape.parts.order[i]), of: tape)
    }
    places.append(at)
    close(with: UInt8(ascii: "}"), isEmpty: value.count == 0)
  }

  /// One member and a comma.
  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func member(_ node: Int, of tape: borrowing JSONTape) {
    let member = tape.nodes[node]
    if member.isVerbatimMember {
      copy(member.nameStart, member.end)
    } else {
      if member.nameIsVerbatim {
        copy(member.nameStart, member.nameEnd)
      } else {
        requote(member.nameStart, member.nameEnd)
      }
      put(UInt8(ascii: ":"))
      write(node, of: tape)
    }
    put(UInt8(ascii: ","))
  }

  /// The closing bracket takes the place of the last comma.
  @_lifetime(self: copy self)
  private mutating func close(with bracket: UInt8, isEmpty: Bool) {
    if !isEmpty { at -= 1 }
    put(bracket)
  }

  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    room[at] = byte
    at += 1
  }

  /// Bytes of the text as they stand, eight at a time, the last eight overlapping.
  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func copy(_ first: UInt32, _ last: UInt32) {
    let start = Int(first)
    let count = Int(last) - start
    let place = at
    at += count
    let from = unsafe source.bytes
    var to = unsafe room.mutableBytes
    if count < 8 {
      for i in 0..<count {
        let byte = unsafe from.unsafeLoad(fromByteOffset: start + i, as: UInt8.self)
        to.storeBytes(of: byte, toByteOffset: place + i, as: UInt8.self)
      }
    } else {
      var done = 0
      while done <= count - 8 {
        let word = unsafe from.unsafeLoadUnaligned(fromByteOffset: start + done, as: UInt64.self)
        to.storeBytes(of: word, toByteOffset: place + done, as: UInt64.self)
        done += 8
      }
      let tail = unsafe from.unsafeLoadUnaligned(
        fromByteOffset: start + count - 8,
        as: UInt64.self
      )
      to.storeBytes(of: tail, toByteOffset: place + count - 8, as: UInt64.self)
    }
  }

  /// A string with escapes other than the canonical ones, which are never shorter.
  @_lifetime(self: copy self)
  private mutating func requote(_ start: UInt32, _ end: UInt32) {
    var quoted: [UInt8] = []
    let text = JSONText.unescaped(source, Int(start), Int(end))
    JSONText.appendQuoted(text.span, to: &quoted)
    for byte in quoted { put(byte) }
  }
}
