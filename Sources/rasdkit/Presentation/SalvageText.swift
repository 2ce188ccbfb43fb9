import RasdModel
import RasdPipeline
import RasdReport
import RasdSalvage

/// What was got out of each database: rows of each table by grade, and the sums.
struct SalvageText: Presentable {
  let salvaged: Salvaged

  func text(_ terminal: Terminal) -> String {
    var text = ""
    for database in salvaged.databases { text += self.text(of: database, terminal) }
    if salvaged.isSealed { text += Self.words(salvaged.written) }
    if !salvaged.databases.isEmpty || salvaged.exports.isEmpty {
      text += Self.place(salvaged.path, isWritten: salvaged.isWritten)
    }
    for export in salvaged.exports {
      text += SafeText.escape(export.source) + "\n" + RescueText(rescued: export).text(terminal)
    }
    return text
  }

  /// Where it is, or that it is nowhere.
  static func place(_ path: String, isWritten: Bool) -> String {
    "\(isWritten ? "written" : "nothing written") to \(SafeText.escape(path))\n"
  }

  /// What entered an export or a store, and what did not.
  static func words(_ written: Salvaged.Written) -> String {
    """
    \(written.rows) rows entered with \(written.blobs) blobs; left out: \
    \(written.copies) with a better copy, \(written.unadmitted) not asked for, \
    \(written.unmergeable) that break the format's rules, \(written.unmapped) of other tables

    """
  }

  private func text(of database: Salvaged.Database, _ terminal: Terminal) -> String {
    var text = SafeText.escape(database.path)
    text += database.cipher.map { " (\($0))\n" } ?? " (not encrypted)\n"
    let counts = database.counts { $0 }
    let grades = Grade.allCases.reversed().filter { grade in
      counts.contains { $0.counts.keys.contains { $0.grade == grade } }
    }
    var table = TextTable(
      heading: ["table", "rows", "live", "orphan", "deleted", "history"] + grades.map(\.rawValue)
    )
    func cells(_ counts: [(SalvageLedger.Line, Int)]) -> [String] {
      func sum(_ matches: (SalvageLedger.Line) -> Bool) -> String {
        Units.count(counts.filter { matches($0.0) }.reduce(0) { $0 + $1.1 })
      }
      return [
        sum { _ in true }, sum { $0.kind == .live }, sum { $0.kind == .orphan },
        sum { [.freelist, .freeblock, .gap].contains($0.kind) }, sum { $0.kind == .history },
      ] + grades.map { grade in sum { $0.grade == grade } }
    }
    for (name, lines) in counts {
      table.add([SafeText.escape(name)] + cells(lines.map { ($0.key, $0.value) }))
    }
    table.rule()
    table.add(["total"] + cells(counts.flatMap { $0.counts.map { ($0.key, $0.value) } }))
    let ledger = database.ledger
    text += table.text(terminal)
    text += """
      \(ledger.deliveredCount) rows + \(ledger.leftovers) copies of live rows + \
      \(ledger.duplicates) copies of deleted rows + \(ledger.schemaRows) of the schema + \
      \(ledger.undecodable) undecodable + \(ledger.implausible) implausible = \
      \(ledger.candidates) candidates
      \(database.pages.sorted { $0.key < $1.key }.map { "\($0.value) \(Self.word($0.key))" }
        .joined(separator: " + ")) = \(database.pageCount) pages

      """
    let documents = ledger.documents
    if documents.count + documents.chunks > 0 {
      text += """
        \(documents.whole) whole + \(documents.partial) with holes + \(documents.contradicted) \
        contradicted + \(documents.unlisted) that no row names = \(documents.count) documents
        \(documents.joined) joined + \(documents.spare) spare = \(documents.chunks) chunks

        """
    }
    return text
  }

  /// `freelistLeaf` as a person writes it.
  private static func word(_ fate: String) -> String {
    fate.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }

  var members: Members {
    var members = Members()
    members.add("path", salvaged.path)
    members.add("rows", salvaged.rows)
    members.add("entered", salvaged.written.rows)
    members.add("blobs", salvaged.written.blobs)
    members.add("databases", each: salvaged.databases.map { $0.event.members })
    members.add("exports", each: salvaged.exports.map { RescueText(rescued: $0).members })
    return members
  }
}
