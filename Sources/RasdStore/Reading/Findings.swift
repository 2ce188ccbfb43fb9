package import RasdMerge
package import RasdModel

extension Store {
  /// Gives every finding of the set (the merge rules, §Findings), in memory that does not grow
  /// with the store.
  package func forEachFinding(
    _ body: (Finding) throws(RasdError) -> Void
  ) throws(RasdError) {
    var survey = try RowSurvey(self)
    try survey.run(body)
    try forEachHistoryFinding(body)
    try forEachSourceFinding(body)
    let grades = try visibleGrades()
    if !grades.isEmpty {
      let words = grades.sorted { $0.key > $1.key }.map { "\($0.value) \($0.key.rawValue)" }
      try body(Finding(.salvagedRows, details: ["grades": .list(words)]))
    }
  }
}
