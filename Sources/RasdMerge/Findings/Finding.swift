package import RasdModel

/// Something a person should look at, computed from the set at the end of a run, so that it
/// doesn't depend on the order of arrivals (the merge rules, §Findings).
package struct Finding: Hashable, Sendable {
  package var reason: Reason
  /// The rows it is about; of several, the one a reader sees stands first.
  package var keys: [RowKey]
  /// The sources it is about, by their number in the ledger.
  package var sources: [Int]
  package var blob: SHA256Digest?
  package var details: [String: RasdError.Detail]

  package init(
    _ reason: Reason,
    keys: [RowKey] = [],
    sources: [Int] = [],
    blob: SHA256Digest? = nil,
    details: [String: RasdError.Detail] = [:]
  ) {
    self.reason = reason
    self.keys = keys
    self.sources = sources
    self.blob = blob
    self.details = details
  }

  package var severity: Severity {
    switch reason {
    case .bytesMissing, .blobHashMismatch: .error
    case .duplicateContent, .staleChecksum, .leaseAbandoned, .clockAhead, .purged,
      .salvagedRows:
      .notice
    default: .warning
    }
  }

  /// The storage contract's code, where something failed.
  package var code: StorageCode? {
    switch reason {
    case .bytesMissing, .blobHashMismatch, .definitionHashConflict, .definitionHashMismatch:
      .integrity
    default: nil
    }
  }
}
