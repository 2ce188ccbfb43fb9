/// A table of an export: one of Rasd's six or a host's `x_*`.
package enum TableName: Hashable, Sendable, Comparable, CustomStringConvertible {
  case forms, submissions, attachments, datasets, outbox, kv
  /// A host table, with its `x_`.
  case host(String)

  /// Rasd's own, in the order in which they are written.
  package static let rasd: [TableName] = [
    .forms, .submissions, .attachments, .datasets, .outbox, .kv,
  ]

  /// At most 64 characters in all: the format's `[A-Za-z][A-Za-z0-9_]{0,63}`.
  package static let maximumLength = 64

  /// Nil where `name` is not a table's (the format, §Entries).
  package init?(_ name: some StringProtocol) {
    if let known = Self.rasd.first(where: { $0.text == name }) {
      self = known
      return
    }
    let bytes = name.utf8
    guard bytes.starts(with: "x_".utf8), bytes.count <= Self.maximumLength,
      bytes.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == 0x5F
      })
    else { return nil }
    self = .host(String(name))
  }

  package var text: String {
    switch self {
    case .forms: "forms"
    case .submissions: "submissions"
    case .attachments: "attachments"
    case .datasets: "datasets"
    case .outbox: "outbox"
    case .kv: "kv"
    case .host(let name): name
    }
  }

  package var description: String { text }

  /// Whether the table's keys are told apart by namespace (the merge rules).
  package var isPerNamespace: Bool {
    switch self {
    case .outbox, .kv, .host: true
    case .forms, .submissions, .attachments, .datasets: false
    }
  }

  package static func < (a: TableName, b: TableName) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }
}
