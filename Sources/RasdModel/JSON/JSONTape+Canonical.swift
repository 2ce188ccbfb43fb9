extension JSONTape {
  /// Appends the canonical form (RFC 8785) of the value at `node`.
  package func writeCanonical(of node: Int = 0, in bytes: Span<UInt8>, to json: inout [UInt8]) {
    let value = nodes[node]
    guard !value.isVerbatim else {
      append(bytes, value.start, value.end, to: &json)
      return
    }
    switch value.kind {
    case .null, .bool: append(bytes, value.start, value.end, to: &json)
    case .number: json += numbers[Int(value.extra)..<Int(value.extra + value.count)]
    case .string:
      JSONText.appendQuoted(
        JSONText.unescaped(bytes, Int(value.start), Int(value.end)),
        to: &json
      )
    case .array:
      json.append(UInt8(ascii: "["))
      var item = node + 1
      for i in 0..<value.count {
        if i > 0 { json.append(UInt8(ascii: ",")) }
        writeCanonical(of: item, in: bytes, to: &json)
        item = Int(nodes[item].next)
      }
      json.append(UInt8(ascii: "]"))
    case .object:
      json.append(UInt8(ascii: "{"))
      for i in 0..<value.count {
        if i > 0 { json.append(UInt8(ascii: ",")) }
        writeCanonicalMember(Int(order[Int(value.extra + i)]), bytes, &json)
      }
      json.append(UInt8(ascii: "}"))
    }
  }

  private func writeCanonicalMember(_ node: Int, _ bytes: Span<UInt8>, _ json: inout [UInt8]) {
    let member = nodes[node]
    guard !member.isVerbatimMember else {
      append(bytes, member.nameStart, member.end, to: &json)
      return
    }
    if member.nameIsVerbatim {
      append(bytes, member.nameStart, member.nameEnd, to: &json)
    } else {
      JSONText.appendQuoted(
        JSONText.unescaped(bytes, Int(member.nameStart), Int(member.nameEnd)),
        to: &json
      )
    }
    json.append(UInt8(ascii: ":"))
    writeCanonical(of: node, in: bytes, to: &json)
  }

  private func append(
    _ bytes: Span<UInt8>,
    _ start: UInt32,
    _ end: UInt32,
    to json: inout [UInt8]
  ) {
    json.append(bytes: bytes.extracting(Int(start)..<Int(end)))
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
