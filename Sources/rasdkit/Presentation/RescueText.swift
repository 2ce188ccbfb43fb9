import RasdModel
import RasdPipeline
import RasdReport

/// What was got out of a damaged export, table by table, and what is missing.
struct RescueText: Presentable {
  let rescued: Rescued

  func text(_ terminal: Terminal) -> String {
    var table = TextTable(heading: ["table", "rows", "missing"])
    for (name, had, missing) in rescued.rows {
      table.add([name, Units.count(had), Self.words(missing)])
    }
    table.rule()
    table.add(["total", Units.count(rescued.rows.reduce(0) { $0 + $1.had }), ""])
    let grades = Grade.allCases.reversed().compactMap { grade in
      rescued.grades[grade].map { "\($0) \(grade.rawValue)" }
    }
    return table.text(terminal) + """
      \(grades.joined(separator: " + ")) + \(rescued.unreadable) unreadable lines
      \(rescued.blobs) blobs, \(rescued.wholeBlobs) of them whole
      \(rescued.written.map(SalvageText.words) ?? "")\
      \(SalvageText.place(rescued.path, isWritten: rescued.isWritten))
      """
  }

  /// How many rows, or that nobody can say.
  private static func words(_ gaps: [Range<Int>]) -> String {
    if gaps.contains(where: { $0.upperBound == .max }) { return "unknown" }
    return Units.count(gaps.reduce(0) { $0 + $1.count })
  }

  var members: Members {
    var members = Members()
    members.add("path", rescued.path)
    var rows = Members()
    for (table, had, _) in rescued.rows { rows.add(table, had) }
    members.add("rows", rows)
    members.add("unreadable", rescued.unreadable)
    members.add("blobs", rescued.blobs)
    members.add("wholeBlobs", rescued.wholeBlobs)
    members.add("entered", rescued.written?.rows)
    return members
  }
}
