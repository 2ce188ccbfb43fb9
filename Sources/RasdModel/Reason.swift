/// Why something failed or deserves a look: the one list of reasons, the same words in
/// errors, reports, help and documentation.
package enum Reason: String, Hashable, Sendable, CaseIterable {
  // Keys
  case wrongKey = "wrong-key"
  case noMatchingSlot = "no-matching-slot"
  case kdfLimits = "kdf-limits"
  case keyFileInvalid = "key-file-invalid"
  case noKeyGiven = "no-key-given"
  case saltLost = "salt-lost"

  // Containers
  case empty
  case notAnExport = "not-an-export"
  case truncated
  case unsafeContainer = "unsafe-container"
  case manifestInvalid = "manifest-invalid"
  case manifestAltered = "manifest-altered"
  case unsupportedVersion = "unsupported-version"
  case plaintextRefused = "plaintext-refused"
  case entryDamaged = "entry-damaged"
  case entryMissing = "entry-missing"
  case countMismatch = "count-mismatch"
  case totalHashMismatch = "total-hash-mismatch"
  case partOrder = "part-order"

  // Rows and blobs
  case rowInvalid = "row-invalid"
  case rowChecksumMismatch = "row-checksum-mismatch"
  case blobHashMismatch = "blob-hash-mismatch"
  case definitionHashConflict = "definition-hash-conflict"

  // Evidence
  case openFailed = "open-failed"
  case notARegularFile = "not-a-regular-file"
  case notADatabase = "not-a-database"
}
