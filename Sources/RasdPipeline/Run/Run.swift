import Glibc
package import RasdCrypto
package import RasdModel
package import RasdReport

/// One run of one job: its report, its progress, whether it was asked to stop, and what the
/// exit status is made of.
///
/// Used from the thread that runs the job; workers hand it what they found.
package final class Run {
  package let rules: RunRules
  package let progress: Progress
  package let interrupt: Interrupt
  package private(set) var totals = TableTally()
  package private(set) var sources = SourceCount()
  package private(set) var findings = FindingCount()
  package var bytes = 0
  package var storeDigest: SHA256Digest?
  /// How dataset and kv keys are shown, once the job has a key to hide them with.
  package var shade = KeyShade.hashed { _ in "" }
  /// Something was refused, rejected or missing.
  private var incomplete = false
  private var refusals: Set<ExitStatus> = []
  /// What the job itself came to, where that goes before all else.
  private var verdict: ExitStatus?
  package let ask: AskPassphrase
  private let report: ReportWriter?
  private let tell: (News) -> Void
  private let began = Run.now

  /// What a person at a terminal hears at once.
  package enum News {
    case refused(RasdError)
    case finding(FindingEvent)
    /// A row that failed its checks, and where it stands.
    case rejected(RasdError)
    /// Something to do that has nothing to do with this run's sources.
    case advice(Reason, path: String)
  }

  package init(
    rules: RunRules,
    progress: Progress,
    interrupt: Interrupt,
    report: ReportWriter?,
    ask: @escaping AskPassphrase,
    tell: @escaping (News) -> Void
  ) {
    self.rules = rules
    if rules.values == .shown { shade = .values }
    self.progress = progress
    self.interrupt = interrupt
    self.report = report
    self.ask = ask
    self.tell = tell
  }

  package func begin(command: String, policy: Members, recipe: SHA256Digest?) throws(RasdError) {
    try emit(
      RunStarted(
        command: command,
        versions: Versions.all,
        policy: policy,
        recipe: recipe
      )
    )
    try flush()
  }

  package func emit<Event: ReportEvent>(_ event: Event) throws(RasdError) {
    try report?.write(event)
  }

  /// Hands the report's lines to the system; called at each batch.
  package func flush() throws(RasdError) { try report?.flush() }

  package func find(_ finding: FindingEvent) throws(RasdError) {
    findings.add(finding.severity, finding.reason)
    if finding.severity == .error { incomplete = true }
    tell(.finding(finding))
    try emit(finding)
  }

  /// Reports what failed without stopping anything, as a finding.
  package func find(_ error: RasdError) throws(RasdError) {
    try find(FindingEvent(.error, error.reason, code: error.code, subject: error.details))
  }

  /// Reports a row that failed its checks.
  func reject(_ row: RowEvent, of path: String) throws(RasdError) {
    if var error = row.error {
      error.details["path"] = .text(path)
      error.details["entry"] = row.provenance?.entry.map { .text($0) }
      error.details["line"] = row.provenance?.line.map { .number(Int64($0)) }
      tell(.rejected(error))
    }
    try emit(row)
  }

  /// Tells a person what would be wise, apart from what the run found.
  func advise(_ reason: Reason, path: String) { tell(.advice(reason, path: path)) }

  /// Notes that something was left out that is reported elsewhere.
  func leaveOut() { incomplete = true }

  /// Counts evidence that rows were got out of.
  func recovered(bytes: Int, incomplete isIncomplete: Bool) {
    sources.taken += 1
    self.bytes += bytes
    if isIncomplete { incomplete = true }
  }

  /// Refuses a source and goes on.
  package func refuse(_ path: String, _ error: RasdError, help: [String] = []) throws(RasdError) {
    var named = error
    if named.details["path"] == nil { named.details["path"] = .text(path) }
    sources.refused += 1
    refusals.insert(ExitStatus(of: named))
    incomplete = true
    tell(.refused(named))
    try emit(SourceRefused(path: path, error: named, help: help))
  }

  /// Refuses what its error names.
  func refuse(_ error: RasdError) throws(RasdError) {
    var path = ""
    if case .text(let named) = error.details["path"] { path = named }
    try refuse(path, error)
  }

  /// Counts a source that was taken, with what became of its rows.
  package func done(_ source: SourceDone) throws(RasdError) {
    if source.known { sources.known += 1 } else { sources.taken += 1 }
    try entered(source)
  }

  /// Says what became of the rows of a source; where it was made of evidence, that is counted.
  func entered(_ source: SourceDone) throws(RasdError) {
    totals += source.tables
    if source.tables.sum[.rejected] > 0 { incomplete = true }
    try emit(source)
    try flush()
  }

  /// Gives the run a status of its own, whatever else was found.
  func end(with status: ExitStatus) { verdict = status }

  /// Ends the report and answers the exit status; `failure` is what stopped the job, if
  /// anything did.
  package func finish(_ failure: RasdError? = nil) throws(RasdError) -> ExitStatus {
    let status = status(failure)
    try emit(
      RunFinished(
        totals: totals,
        bytes: bytes,
        sources: sources,
        findings: findings,
        storeDigest: storeDigest,
        exit: status.rawValue,
        seconds: seconds
      )
    )
    try flush()
    return status
  }

  /// Seconds since the run began; nothing in a reproducible run.
  package var seconds: Double { rules.clock == .reproducible ? 0 : Self.now - began }

  private func status(_ failure: RasdError?) -> ExitStatus {
    if let failure, failure.reason != .interrupted { return ExitStatus(of: failure) }
    if let interrupted = interrupt.status { return interrupted }
    if let verdict { return verdict }
    let nothingTaken = sources.taken + sources.known == 0
    if nothingTaken, refusals.count == 1, let one = refusals.first,
      [.nothing, .noKey, .newer].contains(one)
    {
      return one
    }
    if incomplete { return .incomplete }
    let warned = rules.strictness == .warnings && findings[.warning] > 0
    return warned ? .incomplete : .success
  }

  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Asks a person for a passphrase; throws `no-terminal` where nobody can be asked.
package typealias AskPassphrase = @Sendable (KeyQuestion) throws(RasdError) -> Passphrase
