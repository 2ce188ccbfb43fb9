package import RasdModel

/// A row with a time later than its export's own by more than a day.
package enum ClockAhead {
  /// What clocks and time zones set by hand may differ by, in seconds.
  package static let tolerance: Int64 = 86_400

  package static func isFound(latest: Instant?, exportedAt: Instant?) -> Bool {
    guard let latest, let exportedAt else { return false }
    return latest.isLater(than: exportedAt, byMoreThan: tolerance)
  }
}
