package import RasdModel

/// The part of JSON Schema (2020-12) that the project's own schemas use; a keyword outside
/// it is a violation, so that none is ever passed over.
package struct JSONSchema: Sendable {
  private let root: JSONValue

  package init(file: String) throws {
    root = try JSONValue.parse(try File.read(Checkout.path(file)))
  }

  /// Where and how `value` breaks the schema; empty where it does not.
  package func violations(of value: JSONValue) -> [String] { check(value, root, "") }

  private static let annotations: Set<String> = ["$schema", "title", "description", "$defs"]

  private func check(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    var found: [String] = []
    for keyword in schema.members ?? [] where !Self.annotations.contains(keyword.name) {
      let rule = keyword.value
      switch keyword.name {
      case "$ref": found += check(value, definition(rule.string ?? ""), place)
      case "const": if value != rule { found.append("\(place): not the constant") }
      case "enum":
        if !(rule.array ?? []).contains(value) { found.append("\(place): not in the list") }
      case "type":
        if !isOf(type: rule.string ?? "", value) { found.append("\(place): not \(rule)") }
      case "oneOf":
        let fitting = (rule.array ?? []).map { check(value, $0, place) }
        if fitting.filter(\.isEmpty).count != 1 {
          // The branch that fails least is the one that was meant.
          found += fitting.min { $0.count < $1.count } ?? []
          found.append("\(place): fits \(fitting.filter(\.isEmpty).count) of one")
        }
      case "required":
        for name in (rule.array ?? []).compactMap(\.string) where value[name] == nil {
          found.append("\(place)/\(name): missing")
        }
      case "properties", "additionalProperties": break  // together, below
      case "items":
        for (i, item) in (value.array ?? []).enumerated() {
          found += check(item, rule, "\(place)/\(i)")
        }
      case "minimum":
        if let number = value.double, let least = rule.double, number < least {
          found.append("\(place): below \(least)")
        }
      case "minItems":
        if let items = value.array, items.count < rule.int ?? 0 {
          found.append("\(place): too few")
        }
      case "minLength":
        if let text = value.string, text.unicodeScalars.count < rule.int ?? 0 {
          found.append("\(place): too short")
        }
      case "pattern":
        if let text = value.string, let pattern = rule.string,
          (try? Regex(pattern).firstMatch(in: text)) == nil
        {
          found.append("\(place): '\(text)' does not fit \(pattern)")
        }
      default: found.append("\(place): the validator does not know \(keyword.name)")
      }
    }
    return found + checkMembers(value, schema, place)
  }

  private func checkMembers(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    guard schema["properties"] != nil || schema["additionalProperties"] != nil else { return [] }
    return (value.members ?? []).flatMap { member -> [String] in
      let inner = "\(place)/\(member.name)"
      if let known = schema["properties"]?[member.name] { return check(member.value, known, inner) }
      switch schema["additionalProperties"] {
      case .bool(false): return ["\(inner): not named by the schema"]
      case .some(let rest) where rest.members != nil: return check(member.value, rest, inner)
      default: return []
      }
    }
  }

  private func definition(_ reference: String) -> JSONValue {
    root["$defs"]?[String(reference.dropFirst("#/$defs/".count))] ?? ["unknown reference": true]
  }

  private func isOf(type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("number", .number), ("null", .null):
      true
    case ("integer", .number(let number)): number.integer != nil
    default: false
    }
  }
}
