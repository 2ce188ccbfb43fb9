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
  case limitExceeded = "limit-exceeded"

  // Rows and blobs
  case rowInvalid = "row-invalid"
  case rowChecksumMismatch = "row-checksum-mismatch"
  case blobHashMismatch = "blob-hash-mismatch"
  case definitionHashConflict = "definition-hash-conflict"
  case carriageReturn = "carriage-return"

  // Evidence
  case openFailed = "open-failed"
  case notARegularFile = "not-a-regular-file"
  case notADatabase = "not-a-database"
  case profileInvalid = "profile-invalid"

  // Stores
  case storeMissing = "store-missing"
  case storeExists = "store-exists"
  case storeLocked = "store-locked"
  case storeBusy = "store-busy"
  case storeDamaged = "store-damaged"
  case diskFull = "disk-full"
  case ioError = "io-error"
  case readOnly = "read-only"
  case sqliteError = "sqlite-error"
  case sqlcipherTooOld = "sqlcipher-too-old"
  case migrationPending = "migration-pending"
  case migrationChanged = "migration-changed"
  case migrationFailed = "migration-failed"
  case foreignNamespace = "foreign-namespace"
  case unboundNamespace = "unbound-namespace"
  case orgUnknown = "org-unknown"
  case lastSlot = "last-slot"
  case slotUnknown = "slot-unknown"
  case tooManySlots = "too-many-slots"
  case sourceUnknown = "source-unknown"
  case cannotReplace = "cannot-replace"

  // Findings of a merge
  case bytesMissing = "bytes-missing"
  case purged
  case duplicateContent = "duplicate-content"
  case staleChecksum = "stale-checksum"
  case checksumAbsent = "checksum-absent"
  case leaseAbandoned = "lease-abandoned"
  case clockAhead = "clock-ahead"
  case timeUnreadable = "time-unreadable"
  case attachmentAbsent = "attachment-absent"
  case attachmentDiffers = "attachment-differs"
  case submissionAbsent = "submission-absent"
  case blobWithoutRow = "blob-without-row"
  case formAbsent = "form-absent"
  case definitionHashMismatch = "definition-hash-mismatch"
  case deviceFork = "device-fork"
  case revRegression = "rev-regression"
  case crossNamespace = "cross-namespace"
  case revConflict = "rev-conflict"
  case outboxDead = "outbox-dead"
  case hostAsset = "host-asset"
  case outboxDerived = "outbox-derived"

  // Runs
  case notFound = "not-found"
  case notPermitted = "not-permitted"
  case nothingFound = "nothing-found"
  case notUTF8 = "not-utf8"
  case ignoredFile = "ignored-file"
  case outputExists = "output-exists"
  case reportNotOurs = "report-not-ours"
  case recipeInvalid = "recipe-invalid"
  case keyRingInvalid = "key-ring-invalid"
  case keyFileExposed = "key-file-exposed"
  case passphrasesDiffer = "passphrases-differ"
  case noTerminal = "no-terminal"
  case plaintextSource = "plaintext-source"
  case plaintextWritten = "plaintext-written"
  case sourceChanged = "source-changed"
  case sourceExcluded = "source-excluded"
  case spaceShort = "space-short"
  case interrupted
  case outputReplaced = "output-replaced"
  case noRecipient = "no-recipient"
  case singleSlot = "single-slot"
}
