internal import RasdModel

/// What was noticed about a row when it was read, as bits of a column.
struct RowNotices: OptionSet, Hashable, Sendable {
  let rawValue: Int64

  static let staleChecksum = RowNotices(rawValue: 1)
  static let checksumAbsent = RowNotices(rawValue: 2)
  static let timeUnreadable = RowNotices(rawValue: 4)
  static let definitionHashMismatch = RowNotices(rawValue: 8)
  static let carriageReturn = RowNotices(rawValue: 16)
  /// The row's `bytes` or `sha256` is none.
  static let claimMalformed = RowNotices(rawValue: 32)

  static let reasons: [(notice: RowNotices, reason: Reason)] = [
    (.staleChecksum, .staleChecksum), (.checksumAbsent, .checksumAbsent),
    (.timeUnreadable, .timeUnreadable), (.definitionHashMismatch, .definitionHashMismatch),
    (.carriageReturn, .carriageReturn),
  ]

  init(rawValue: Int64) { self.rawValue = rawValue }

  init(_ row: Row) {
    self = []
    for notice in row.notices {
      if let known = Self.reasons.first(where: { $0.reason == notice.reason }) {
        insert(known.notice)
      }
    }
    if case .attachment(let facts) = row.facts, facts.claim.isMalformed { insert(.claimMalformed) }
  }
}
