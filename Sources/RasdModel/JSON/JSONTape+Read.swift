extension JSONTape {
  package var root: Int { 0 }

  package func kind(of node: Int) -> Kind { nodes[node].kind }

  /// The value's text as written.
  package func range(of node: Int) -> Range<Int> {
    Int(nodes[node].start)..<Int(nodes[node].end)
  }

  /// The member called `name` of the object at `node`; nil where there is none and where
  /// the node is no object.
  package func member(_ name: StaticString, of node: Int, in bytes: Span<UInt8>) -> Int? {
    guard nodes[node].kind == .object else { return nil }
    var child = node + 1
    for _ in 0..<nodes[node].count {
      if hasName(child, name, bytes) { return child }
      child = Int(nodes[child].next)
    }
    return nil
  }

  /// The place in canonical order of the member called `name` of the object at `node`.
  func rank(of name: StaticString, in node: Int, _ bytes: Span<UInt8>) -> Int? {
    let first = Int(nodes[node].extra)
    for i in 0..<Int(nodes[node].count) where hasName(Int(parts.order[first + i]), name, bytes) {
      return i
    }
    return nil
  }

  private func hasName(_ node: Int, _ name: StaticString, _ bytes: Span<UInt8>) -> Bool {
    let start = Int(nodes[node].nameStart)
    let end = Int(nodes[node].nameEnd)
    let count = name.utf8CodeUnitCount
    if nodes[node].nameHasEscape {
      let text = JSONText.unescaped(bytes, start, end)
      guard text.count == count else { return false }
      for i in 0..<count where unsafe text[i] != name.utf8Start[i] { return false }
      return true
    }
    guard end - start == count + 2 else { return false }
    for i in 0..<count where unsafe bytes[start + 1 + i] != name.utf8Start[i] { return false }
    return true
  }

  /// The items of the array at `node`; nil where it is none.
  package func items(of node: Int) -> [Int]? {
    guard nodes[node].kind == .array else { return nil }
    var items: [Int] = []
    var child = node + 1
    for _ in 0..<nodes[node].count {
      items.append(child)
      child = Int(nodes[child].next)
    }
    return items
  }

  package func string(of node: Int, in bytes: Span<UInt8>) -> String? {
    guard nodes[node].kind == .string else { return nil }
    return text(
      bytes,
      Int(nodes[node].start),
      Int(nodes[node].end),
      isEscaped: nodes[node].flags.contains(.escaped)
    )
  }

  package func double(of node: Int, in bytes: Span<UInt8>) -> Double? {
    guard nodes[node].kind == .number else { return nil }
    return JSONNumber.double(bytes.extracting(range(of: node)))
  }

  /// The moment that a string is; nil where it is none (RFC 3339).
  func instant(of node: Int, in bytes: Span<UInt8>) -> Instant? {
    guard nodes[node].kind == .string else { return nil }
    if nodes[node].flags.contains(.escaped) {
      return string(of: node, in: bytes).flatMap { Instant($0) }
    }
    let range = range(of: node)
    return Instant(bytes: bytes.extracting((range.lowerBound + 1)..<(range.upperBound - 1)))
  }

  /// The value as a tree.
  package func value(of node: Int = 0, in bytes: Span<UInt8>) -> JSONValue {
    switch nodes[node].kind {
    case .null: return .null
    case .bool: return .bool(bytes[Int(nodes[node].start)] == UInt8(ascii: "t"))
    case .number:
      let text = [UInt8](copying: bytes.extracting(range(of: node)))
      return .number(JSONNumber(proven: String(decoding: text, as: UTF8.self)))
    case .string: return .string(string(of: node, in: bytes) ?? "")
    case .array: return .array((items(of: node) ?? []).map { value(of: $0, in: bytes) })
    case .object:
      var members: [JSONValue.Member] = []
      members.reserveCapacity(Int(nodes[node].count))
      var child = node + 1
      for _ in 0..<nodes[node].count {
        let name = text(
          bytes,
          Int(nodes[child].nameStart),
          Int(nodes[child].nameEnd),
          isEscaped: nodes[child].nameHasEscape
        )
        members.append(JSONValue.Member(name, value(of: child, in: bytes)))
        child = Int(nodes[child].next)
      }
      return .object(members)
    }
  }

  private func text(
    _ bytes: Span<UInt8>,
    _ start: Int,
    _ end: Int,
    isEscaped: Bool
  ) -> String {
    guard isEscaped else {
      return unsafe bytes.extracting((start + 1)..<(end - 1)).withUnsafeBufferPointer {
        unsafe String(decoding: $0, as: UTF8.self)
      }
    }
    return String(decoding: JSONText.unescaped(bytes, start, end), as: UTF8.self)
  }
}
