import RasdModel

/// Closes the salvage of one database: each page and each candidate row in exactly one number.
package struct SalvageLedgerEvent: ReportEvent {
  package static let name = "salvage.ledger"

  package var path: String
  /// Pages by what became of them.
  package var pages: [String: Int]
  /// Rows of each table by kind and grade, as `live.verified`.
  package var rows: [(table: String, counts: [String: Int])]
  /// Cells and records that were looked at: `delivered` and the sum of `others`.
  package var candidates: Int
  package var delivered: Int
  package var others: [String: Int]
  /// Documents by what became of them, and their chunks; empty where the profile has none.
  package var documents: [String: Int]

  package init(
    path: String,
    pages: [String: Int],
    rows: [(table: String, counts: [String: Int])],
    candidates: Int,
    delivered: Int,
    others: [String: Int],
    documents: [String: Int] = [:]
  ) {
    self.path = path
    self.pages = pages
    self.rows = rows
    self.candidates = candidates
    self.delivered = delivered
    self.others = others
    self.documents = documents
  }

  package var members: Members {
    var members = Members()
    members.add("path", path)
    members.add("pages", Self.counts(pages))
    var tables = Members()
    for (table, counts) in rows { tables.add(table, Self.counts(counts)) }
    members.add("rows", tables)
    members.add("candidates", candidates)
    members.add("delivered", delivered)
    members.add("others", Self.counts(others))
    if !documents.isEmpty { members.add("documents", Self.counts(documents)) }
    return members
  }

  private static func counts(_ counts: [String: Int]) -> Members {
    var members = Members()
    for name in counts.keys.sorted() { members.add(name, counts[name] ?? 0) }
    return members
  }
}
