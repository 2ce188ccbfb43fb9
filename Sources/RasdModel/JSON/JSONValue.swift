/// A JSON value as a tree, for manifests, recipes, profiles and reports.
///
/// Rows in their thousands go through `JSONTape`.
package indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  /// Members in their order.
  case object([Member])

  package struct Member: Sendable, Equatable {
    package let name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package static func parse(
    _ bytes: Span<UInt8>,
    rules: JSONRules = .strict
  ) throws(JSONError) -> JSONValue {
    var tape = JSONTape()
    try tape.parse(bytes, rules: rules)
    return tape.value(of: 0, in: bytes)
  }

  package static func parse(
    _ bytes: [UInt8],
    rules: JSONRules = .strict
  ) throws(JSONError) -> JSONValue {
    try parse(bytes.span, rules: rules)
  }

  /// The member of an object, the last one of that name; nil where there is none.
  ///
  /// Names are compared bytewise, not by Unicode equivalence as Swift's strings are.
  package subscript(name: String) -> JSONValue? {
    members?.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
  package var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  package var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
  package var int: Int64? { number?.integer }
  package var double: Double? { number?.double }
  package var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONValue: Equatable {
  /// Same kinds, same texts bytewise, members in the same order.
  package static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.number(let x), .number(let y)): x == y
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.array(let x), .array(let y)): x == y
    case (.object(let x), .object(let y)):
      x.count == y.count
        && zip(x, y).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value }
    default: false
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  package init(nilLiteral: ()) { self = .null }
}
