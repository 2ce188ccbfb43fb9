package import RasdReport

/// How a run behaves, whatever its job: what it reports, how strict it is, whether it writes.
package struct RunRules: Sendable {
  /// Which rows the report lists.
  package enum Rows: String, Sendable { case news, all }

  /// Whether anything is written.
  package enum Writing: Sendable { case real, dry }

  /// What makes a run incomplete.
  package enum Strictness: Sendable { case errors, warnings }

  /// Whether keys of datasets and kv stand in the report as they are.
  package enum Values: Sendable { case hidden, shown }

  package var rows = Rows.news
  package var writing = Writing.real
  package var strictness = Strictness.errors
  package var values = Values.hidden
  package var clock = ReportClock.real
  /// Threads to work with.
  package var jobs = 1

  package init() {}
}
