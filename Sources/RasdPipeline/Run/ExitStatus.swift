package import RasdModel

/// What the process ends with; the same number stands in the report's `run.finished`.
package enum ExitStatus: Int32, Sendable, Comparable, CaseIterable {
  case success = 0
  case incomplete = 1
  case usage = 2
  case nothing = 3
  case storeDamaged = 4
  case noStore = 10
  case storeLocked = 11
  case noKey = 12
  case noSpace = 13
  case newer = 14
  case defect = 70
  case interrupted = 130
  case terminated = 143

  package static func < (a: ExitStatus, b: ExitStatus) -> Bool { a.rawValue < b.rawValue }

  package var meaning: String {
    switch self {
    case .success: "all well; notices and warnings included"
    case .incomplete:
      "done, but not everything: some source refused, row rejected, blob missing, row partial"
    case .usage: "the command line could not be understood"
    case .nothing: "nothing could be done: no such file, not an export, nothing recoverable"
    case .storeDamaged: "the store is damaged, or a migration of it failed"
    case .noStore: "there is no store there"
    case .storeLocked: "the store is locked by another run"
    case .noKey: "no key given opens any of it"
    case .noSpace: "no space left: the store stands at its last commit"
    case .newer: "all of it was made by a newer version"
    case .defect: "a defect of this tool"
    case .interrupted: "interrupted; the same command continues"
    case .terminated: "terminated; the same command continues"
    }
  }
}

extension ExitStatus {
  /// What an error ends a run with when nothing could be done for it.
  package init(of error: RasdError) {
    switch error.reason {
    case .storeMissing: self = .noStore
    case .storeLocked: self = .storeLocked
    case .storeDamaged: self = .storeDamaged
    case .notFound, .notPermitted, .openFailed, .notARegularFile, .notADatabase, .notAnExport,
      .empty, .nothingFound, .outputExists, .reportNotOurs, .sourceUnknown, .slotUnknown,
      .filterUnknown:
      self = .nothing
    case .recipeInvalid, .noRecipient, .severalSources, .orgsDiffer: self = .usage
    default:
      self =
        switch error.code {
        case .keyUnavailable: .noKey
        case .quota: .noSpace
        case .downgrade: .newer
        case .migration: .storeDamaged
        case .locked: .storeLocked
        case .corrupt, .integrity, .notOpen, .unavailable: .incomplete
        }
    }
  }
}
