/// How far a salvaged row can be trusted; the better grade is the greater.
package enum Grade: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Decodes, and its own checksum says it is not what was written.
  case contradicted
  /// Some of it.
  case partial
  /// Decodes from a page whose proof fails, and carries no checksum that would prove it.
  case doubtful
  /// Decodes from unproved pages, every column in its domain.
  case plausible
  /// Decodes; its checksum can't be computed while an envelope stays closed.
  case unverifiable
  /// Decodes from pages that prove themselves, and carries no checksum.
  case intact
  /// Decodes and its own checksum holds.
  case verified

  package static func < (a: Grade, b: Grade) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .contradicted: 0
    case .partial: 1
    case .doubtful: 2
    case .plausible: 3
    case .unverifiable: 4
    case .intact: 5
    case .verified: 6
    }
  }
}

/// Where in a database a row was found; the earlier one speaks first among equal grades.
package enum RowKind: String, Hashable, Sendable, CaseIterable, Comparable {
  case live, orphan, freelist, freeblock, gap, history

  package static func < (a: RowKind, b: RowKind) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .live: 0
    case .orphan: 1
    case .freelist: 2
    case .freeblock: 3
    case .gap: 4
    case .history: 5
    }
  }

  /// Whether rows of this kind may be merged or exported without being asked for.
  package var mayEnter: Bool { self == .live || self == .orphan }
}
