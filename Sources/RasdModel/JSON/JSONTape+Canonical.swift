extension JSONTape {
  /// Appends the canonical form (RFC 8785) of the value at `node`.
  package func writeCanonical(of node: Int = 0, in bytes: Span<UInt8>, to json: inout [UInt8]) {
    let start = json.count
    let room = makeRoom(for: node, in: &json)
    let end = write(node, in: bytes, to: json.mutableSpan, at: start)
    json.removeLast(start + room - end)
  }

  /// Appends the canonical form of the object at `node`, and to `places` where in `json` each
  /// of its members begins, in canonical order, and where the last one's comma would end.
  func writeCanonical(
    object node: Int,
    in bytes: Span<UInt8>,
    to json: inout [UInt8],
    places: inout [Int]
  ) {
    let start = json.count
    let room = makeRoom(for: node, in: &json)
    let end = write(object: node, in: bytes, to: json.mutableSpan, at: start, &places)
    json.removeLast(start + room - end)
  }

  /// Lengthens `json` by what the canonical form may take at most.
  ///
  /// Only numbers can become longer than they stand in the text, `1e20` to 21 digits at worst;
  /// one comma is taken back at the end.
  private func makeRoom(for node: Int, in json: inout [UInt8]) -> Int {
    let count = range(of: node).count
    let room = min(count + parts.numbers.count, count * 6) + 1
    json.append(contentsOf: repeatElement(0, count: room))
    return room
  }

  private func write(
    _ node: Int,
    in bytes: Span<UInt8>,
    to room: consuming MutableSpan<UInt8>,
    at start: Int
  ) -> Int {
    var writer = CanonicalWriter(source: bytes, room: room, at: start)
    writer.write(node, of: self)
    return writer.at
  }

  private func write(
    object node: Int,
    in bytes: Span<UInt8>,
    to room: consuming MutableSpan<UInt8>,
    at start: Int,
    _ places: inout [Int]
  ) -> Int {
    var writer = CanonicalWriter(source: bytes, room: room, at: start)
    writer.write(object: node, of: self, places: &places)
    return writer.at
  }
}

extension [UInt8] {
  package mutating func append(bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// A copy of `bytes`.
  package init(copying bytes: Span<UInt8>) {
    self = []
    append(bytes: bytes)
  }
}
