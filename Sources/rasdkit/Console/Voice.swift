import RasdModel
import RasdPipeline
import RasdReport

/// Tells a person at once what was refused and what deserves a look, a few of each reason:
/// the report has them all.
final class Voice {
  /// Enough to see the kind of a trouble, few enough to see the others.
  private static let linesPerReason = 8

  /// What is wrong with the run and not with one of its sources is said once.
  private static func lines(of reason: Reason) -> Int {
    reason == .noKeyGiven || reason == .tooManyFiles ? 1 : linesPerReason
  }

  private let console: Console
  private var heard: [Reason: Int] = [:]

  /// Whether the run is the salvage that would else be advised.
  private let isSalvage: Bool

  init(_ console: Console, isSalvage: Bool) {
    self.console = console
    self.isSalvage = isSalvage
  }

  func hear(_ news: Run.News) {
    switch news {
    case .refused(let error), .rejected(let error):
      if admit(error.reason) { console.fail(error) }
    case .finding(let finding) where finding.severity > .notice:
      guard admit(finding.reason) else { return }
      let facts = finding.details.merging(finding.subject) { $1 }
      let line = ErrorText.line(
        code: finding.code,
        reason: finding.reason,
        details: facts,
        advises: !(isSalvage && finding.code == .corrupt)
      )
      if finding.severity == .error { console.error(line) } else { console.warn(line) }
    case .finding: break
    case .advice(let reason, let path):
      console.warn(ErrorText.line(code: nil, reason: reason, details: ["path": .text(path)]))
    }
  }

  /// Says how much was left unsaid.
  func close() {
    for (reason, count) in heard.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where count > Self.lines(of: reason) {
      let rest = Units.count(count - Self.lines(of: reason))
      console.note("and \(rest) more [\(reason.rawValue)]; --report FILE lists them all")
    }
  }

  private func admit(_ reason: Reason) -> Bool {
    heard[reason, default: 0] += 1
    return heard[reason, default: 0] <= Self.lines(of: reason)
  }
}
