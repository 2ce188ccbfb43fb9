package import RasdModel

/// Anything a person should look at.
package struct FindingEvent: ReportEvent {
  package static let name = "finding"

  package var severity: Severity
  package var reason: Reason
  /// The storage contract's code, where something failed.
  package var code: StorageCode?
  /// What it is about, by name: `path`, `exportId`, `table`, `key`, `id` and the like.
  package var subject: [String: RasdError.Detail]
  package var details: [String: RasdError.Detail]

  package init(
    _ severity: Severity,
    _ reason: Reason,
    code: StorageCode? = nil,
    subject: [String: RasdError.Detail] = [:],
    details: [String: RasdError.Detail] = [:]
  ) {
    self.severity = severity
    self.reason = reason
    self.code = code
    self.subject = subject
    self.details = details
  }

  package var members: Members {
    var members = Members()
    members.add("severity", severity.rawValue)
    members.add("code", code?.rawValue)
    if let code { members.add("retryable", code.retryable) }
    members.add("reason", reason.rawValue)
    members.add("subject", Members(details: subject))
    members.add("details", Members(details: details))
    return members
  }
}

/// How many findings of each severity, and of each reason.
package struct FindingCount: Hashable, Sendable {
  package private(set) var bySeverity: [Severity: Int] = [:]
  package private(set) var byReason: [Reason: Int] = [:]

  package init() {}

  package mutating func add(_ severity: Severity, _ reason: Reason) {
    bySeverity[severity, default: 0] += 1
    byReason[reason, default: 0] += 1
  }

  package subscript(severity: Severity) -> Int { bySeverity[severity] ?? 0 }

  package var members: Members {
    var members = Members()
    for severity in Severity.allCases { members.add(severity.rawValue, self[severity]) }
    return members
  }
}

extension Members {
  /// Adds an error's code, whether trying again can help, and its reason.
  mutating func add(failure error: RasdError) {
    add("code", error.code.rawValue)
    add("retryable", error.code.retryable)
    add("reason", error.reason.rawValue)
  }

  /// Facts in order of name.
  package init(details: [String: RasdError.Detail]) {
    self.init()
    for (name, detail) in details.sorted(by: { $0.key < $1.key }) {
      switch detail {
      case .text(let text): add(name, text)
      case .number(let number): add(name, Int(number))
      case .flag(let flag): add(name, flag)
      case .list(let items): add(name, items)
      case .bytes(let bytes): add(name, SafeText.escape(bytes: bytes.span))
      }
    }
  }
}
