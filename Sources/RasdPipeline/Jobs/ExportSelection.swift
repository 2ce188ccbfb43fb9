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
}
