package import RasdModel
import RasdStore

/// Which of a store's rows an export is to hold.
package struct ExportSelection: Sendable {
  /// Whose device it is for; nil for nobody's in particular.
  package var device: Namespace?
  package var forms: [String] = []
  package var statuses: [String] = []
  package var since: Instant?
  package var sinceText: String?
  /// Nil for all.
  package var tables: [TableName]?
  package var takesBlobs = true

  package init() {}

  /// Whether everything is in it.
  var isWhole: Bool {
    device == nil && forms.isEmpty && statuses.isEmpty && since == nil && tables == nil
      && takesBlobs
  }

  /// Whether submissions are chosen one by one.
  var choosesSubmissions: Bool {
    device != nil || !forms.isEmpty || !statuses.isEmpty || since != nil
  }

  func takes(_ table: TableName) -> Bool { tables?.contains(table) ?? true }

  /// Whether a submission is in it, by what the row says.
  func takes(_ facts: SubmissionFacts) -> Bool {
    (forms.isEmpty || forms.contains(facts.formId ?? ""))
      && (statuses.isEmpty || statuses.contains(facts.status.rawValue))
      && since.map { since in facts.updatedAt.map { $0 >= since } ?? true } ?? true
  }

  /// What the export says of its filters (the format, §manifest.json: `meta.scope`); nil for a
  /// whole one.
  var scope: JSONValue? {
    guard !isWhole else { return nil }
    var members: [JSONValue.Member] = []
    if let tables { members.append(.init("tables", .array(tables.map { .string($0.text) }))) }
    if !forms.isEmpty { members.append(.init("formId", .array(forms.map { .string($0) }))) }
    if !statuses.isEmpty { members.append(.init("status", .array(statuses.map { .string($0) }))) }
    if let sinceText { members.append(.init("since", .string(sinceText))) }
    if !takesBlobs { members.append(.init("blobs", false)) }
    return .object(members)
  }

  /// Refuses a name that the store holds nothing of: what it selects is nothing, and it is most
  /// likely mistyped.
  ///
  /// - Throws: `filter-unknown` with those that are most like it.
  func check(against store: Store) throws(RasdError) {
    if let device {
      let known = try store.devices().map(\.text)
      try Self.check(device.text, "--for-device", known, store)
    }
    let known = forms.isEmpty ? [] : try store.formIDs()
    for form in forms { try Self.check(form, "--form", known, store) }
    guard let tables else { return }
    let held = try store.tables().map(\.text)
    for table in tables { try Self.check(table.text, "--tables", held, store) }
  }

  private static func check(
    _ name: String,
    _ option: String,
    _ known: [String],
    _ store: Store
  ) throws(RasdError) {
    guard !known.contains(name) else { return }
    // Those that begin as it does, before those that do less.
    let near = known.sorted { $0.commonPrefix(with: name) > $1.commonPrefix(with: name) }
    throw RasdError(
      .unavailable,
      .filterUnknown,
      [
        "path": .text(store.path), "what": .text("\(option) \(name)"),
        "candidates": .list(Array(near.prefix(mostCandidates))),
      ]
    )
  }

  /// As many as fit a line.
  private static let mostCandidates = 5
}

extension String {
  /// How many bytes two names begin with that are the same.
  fileprivate func commonPrefix(with other: String) -> Int {
    zip(utf8, other.utf8).prefix { $0 == $1 }.count
  }
}
