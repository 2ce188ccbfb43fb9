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
    if let parts = Self.plainParts(text) {
      self.init(table, parts, text: text)
      return
    }
    guard let value = try? JSONValue.parse(Array(text.utf8).span), let items = value.array else {
      return nil
    }
    self.init(table, items.compactMap(\.string))
    guard self.text == text else { return nil }
  }

  private init(_ table: TableName, _ parts: [String], text: String) {
    self.table = table
    self.parts = parts
    self.text = text
  }

  /// The parts of a text without an escape, as nearly all are; nil for any other.
  private static func plainParts(_ text: String) -> [String]? {
    let bytes = text.utf8
    guard bytes.count >= 4, bytes.starts(with: "[\"".utf8),
      bytes.suffix(2).elementsEqual("\"]".utf8),
      bytes.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return nil }
    // Quotes stand only around the parts: every second piece is what lies between two of them.
    let pieces = bytes.dropFirst().dropLast().split(
      separator: UInt8(ascii: "\""),
      omittingEmptySubsequences: false
    )
    var parts: [String] = []
    for (i, piece) in pieces.enumerated() {
      if i % 2 == 1 {
        parts.append(String(Substring(piece)))
      } else if !piece.elementsEqual((i == 0 || i == pieces.count - 1 ? "" : ",").utf8) {
        return nil
      }
    }
    return parts
  }
}
