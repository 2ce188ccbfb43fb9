extension JSONValue {
  /// Appends the value's text: members in their order, numbers as written, no spaces.
  package func write(to json: inout [UInt8]) {
    switch self {
    case .null: json.append(contentsOf: "null".utf8)
    case .bool(let flag): json.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let number): json.append(contentsOf: number.text.utf8)
    case .string(let text): JSONText.appendQuoted(text, to: &json)
    case .array(let items):
      json.append(UInt8(ascii: "["))
      for (i, item) in items.enumerated() {
        if i > 0 { json.append(UInt8(ascii: ",")) }
        item.write(to: &json)
      }
      json.append(UInt8(ascii: "]"))
    case .object(let members):
      json.append(UInt8(ascii: "{"))
      for (i, member) in members.enumerated() {
        if i > 0 { json.append(UInt8(ascii: ",")) }
        JSONText.appendQuoted(member.name, to: &json)
        json.append(UInt8(ascii: ":"))
        member.value.write(to: &json)
      }
      json.append(UInt8(ascii: "}"))
    }
  }

  /// The value's text, as `write` makes it.
  package var text: [UInt8] {
    var json: [UInt8] = []
    write(to: &json)
    return json
  }

  /// The canonical form (RFC 8785) of a value whose numbers are in a double's range.
  package func canonical() throws(JSONError) -> [UInt8] {
    let json = text
    var tape = JSONTape()
    try tape.parse(json.span)
    var canonical: [UInt8] = []
    tape.writeCanonical(of: 0, in: json.span, to: &canonical)
    return canonical
  }
}
