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
  }
}
