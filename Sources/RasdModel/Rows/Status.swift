/// The seven states of a submission (Rasd storage specification, §4).
///
/// The order is that of lifecycles: the further one is the greater (the merge rules,
/// §Order of observations, rule 1).
package enum SubmissionStatus: String, Hashable, Sendable, CaseIterable, Comparable {
  case draft, finalized, queued, sending, rejected, conflict, synced

  /// Whether no draft may stand over a row that says so.
  package var isProtected: Bool { self == .finalized || self == .queued || self == .sending }

  package static func < (a: SubmissionStatus, b: SubmissionStatus) -> Bool { a.rank < b.rank }

  package var rank: Int {
    switch self {
    case .draft: 0
    case .finalized: 1
    case .queued: 2
    case .sending: 3
    case .rejected: 4
    case .conflict: 5
    case .synced: 6
    }
  }
}

/// The four states of an attachment, the further one the greater.
package enum AttachmentStatus: String, Hashable, Sendable, CaseIterable, Comparable {
  case pending, failed, uploading, uploaded

  package static func < (a: AttachmentStatus, b: AttachmentStatus) -> Bool { a.rank < b.rank }

  package var rank: Int {
    switch self {
    case .pending: 0
    case .failed: 1
    case .uploading: 2
    case .uploaded: 3
    }
  }
}

/// The three states of an outbox row.
package enum OutboxStatus: String, Hashable, Sendable, CaseIterable {
  case pending, leased, dead
}
