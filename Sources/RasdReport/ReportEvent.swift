package import RasdModel

/// Something that happened in a run, as one line of the report says it.
///
/// An event carries codes, reasons, ids, hashes and counts; never a sentence, and never a
/// value of somebody's data.
package protocol ReportEvent: Sendable {
  /// The event's name, as in `source.opened`.
  static var name: String { get }
  /// What it carries, beside the members that every line has.
  var members: Members { get }
}

/// The members of an object in the order in which they are written; what is nil is left out.
package struct Members: Sendable {
  package private(set) var list: [JSONValue.Member] = []

  package init() {}

  package mutating func add(_ name: String, _ value: JSONValue?) {
    if let value { list.append(JSONValue.Member(name, value)) }
  }

  package mutating func add(_ name: String, _ text: String?) {
    add(name, text.map { .string($0) })
  }

  package mutating func add(_ name: String, _ number: Int?) {
    add(name, number.map { .number(JSONNumber(Int64($0))) })
  }

  package mutating func add(_ name: String, _ flag: Bool) { add(name, .bool(flag)) }

  package mutating func add(_ name: String, _ texts: [String]) {
    add(name, .array(texts.map { .string($0) }))
  }

  package mutating func add(_ name: String, _ members: Members?) {
    add(name, members?.object)
  }

  package mutating func add(_ name: String, each members: [Members]) {
    add(name, .array(members.map(\.object)))
  }

  package var object: JSONValue { .object(list) }
}
