/// How much a finding asks of whoever reads it.
package enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
  case notice, warning, error

  package static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .notice: 0
    case .warning: 1
    case .error: 2
    }
  }
}
