package import RasdModel

/// Something about a page source a person should look at; damage is data.
package struct PageFinding: Hashable, Sendable {
  package let kind: Kind
  package var details: [String: RasdError.Detail]

  package init(_ kind: Kind, _ details: [String: RasdError.Detail] = [:]) {
    self.kind = kind
    self.details = details
  }

  /// The words of the report.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// How the file was opened: cipher version, page size, and what was tried for it.
    case cipherFound = "cipher-found"
    case keyNotNeeded = "key-not-needed"
    case headerLost = "header-lost"
    case fileShifted = "file-shifted"
    case fileTruncated = "file-truncated"
    case saltTakenFromCopy = "salt-taken-from-copy"
    case saltMissing = "salt-missing"
    case severalKeys = "several-keys"
    case readFailed = "read-failed"
    case olderCopyUsed = "older-copy-used"
    case olderCopyLeftOut = "older-copy-left-out"
    case walHeaderLost = "wal-header-lost"
    case walFrameDamaged = "wal-frame-damaged"
    case walForeign = "wal-foreign"
    case walUncommitted = "wal-uncommitted"
    case journalHot = "journal-hot"
    case journalHeaderLost = "journal-header-lost"
    case journalForeign = "journal-foreign"
  }
}
