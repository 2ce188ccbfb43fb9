/// The nine error codes of the Rasd storage contract (Rasd storage specification, §3.1).
package enum StorageCode: String, Hashable, Sendable, CaseIterable {
  case quota = "RASD_STORAGE_QUOTA"
  case locked = "RASD_STORAGE_LOCKED"
  case migration = "RASD_STORAGE_MIGRATION"
  case downgrade = "RASD_STORAGE_DOWNGRADE"
  case keyUnavailable = "RASD_STORAGE_KEY_UNAVAILABLE"
  case corrupt = "RASD_STORAGE_CORRUPT"
  case integrity = "RASD_STORAGE_INTEGRITY"
  case notOpen = "RASD_STORAGE_NOT_OPEN"
  case unavailable = "RASD_STORAGE_UNAVAILABLE"

  /// Whether the same command can succeed once the circumstances change (space, a lock).
  package var retryable: Bool { self == .quota || self == .locked }
}
