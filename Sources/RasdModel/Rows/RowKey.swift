/// What tells a table's rows apart: an id, or several members, and for `outbox`, `kv` and
/// `x_*` the namespace before them.
package struct RowKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let table: TableName
  /// `id`; `id`, `version`; `name`, `key`; namespace, `id`; namespace, `key`; namespace,
  /// row hash.
  package let parts: [String]
  /// The parts as a JSON array in ASCII, everything else escaped.
  ///
  /// Swift takes `é` and `e` + U+0301 for the same text, keys do not: this form compares and
  /// hashes bytewise, and holds no character that could break a line.
  package let text: String

  package init(_ table: TableName, _ parts: [String]) {
    self.table = table
    self.parts = parts
    var json: [UInt8] = [UInt8(ascii: "[")]
    for (i, part) in parts.enumerated() {
      if i > 0 { json.append(UInt8(ascii: ",")) }
      JSONText.appendQuotedASCII(part, to: &json)
    }
    json.append(UInt8(ascii: "]"))
    text = String(decoding: json, as: UTF8.self)
  }

  package init(submission id: String) { self.init(.submissions, [id]) }
  package init(attachment id: String) { self.init(.attachments, [id]) }
  package init(form id: String, version: String) { self.init(.forms, [id, version]) }
  package init(dataset name: String, key: String) { self.init(.datasets, [name, key]) }

  /// The namespace, where the table's keys carry one.
  package var namespace: Namespace? {
    guard table.isPerNamespace, let first = parts.first else { return nil }
    return Namespace(first)
  }

  package var description: String { text }

  package static func == (a: RowKey, b: RowKey) -> Bool {
    a.text == b.text && a.table == b.table
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(table)
    hasher.combine(text)
  }

  package static func < (a: RowKey, b: RowKey) -> Bool {
    (a.table, a.text) < (b.table, b.text)
  }
}

extension RowKey {
  /// The key of this `text`, as `text` writes it; nil for anything else.
  package init?(_ table: TableName, text: String) {
    guard let value = try? JSONValue.parse(Array(text.utf8).span), let items = value.array else {
      return nil
    }
    self.init(table, items.compactMap(\.string))
    guard self.text == text else { return nil }
  }
}
