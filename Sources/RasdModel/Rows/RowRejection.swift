/// A row that failed a check: quarantined, never an observation.
package struct RowRejection: Error, Hashable, Sendable {
  package let fault: RowFault
  /// Where in the line, for faults of its text.
  package let offset: Int?
  /// The row's key, where it could still be read.
  package let key: RowKey?

  package init(_ fault: RowFault, offset: Int? = nil, key: RowKey? = nil) {
    self.fault = fault
    self.offset = offset
    self.key = key
  }

  package var reason: Reason {
    switch fault {
    case .checksumMismatch: .rowChecksumMismatch
    case .definitionHash: .definitionHashMismatch
    default: .rowInvalid
    }
  }

  package var error: RasdError {
    var details: [String: RasdError.Detail] = ["fault": .text(fault.rawValue)]
    if let offset { details["offset"] = .number(Int64(offset)) }
    if let key { details["key"] = .text(key.text) }
    return RasdError(.integrity, reason, details)
  }
}

/// What a rejected row broke, in one word of a report.
package enum RowFault: String, Hashable, Sendable, CaseIterable {
  case checksumMismatch = "checksum-mismatch"
  /// Where forms are held to their hashes.
  case definitionHash = "definition-hash"
  // Its text
  case blankLine = "blank-line"
  case byteOrderMark = "byte-order-mark"
  case notJSON = "not-json"
  case notAnObject = "not-an-object"
  case invalidUTF8 = "invalid-utf8"
  case doubledMember = "doubled-member"
  case loneSurrogate = "lone-surrogate"
  case numberOutOfRange = "number-out-of-range"
  case tooDeep = "too-deep"
  case tooLong = "too-long"
  // Its members
  case noKey = "no-key"
  case attachmentID = "attachment-id"
  case status
  case clientRev = "client-rev"
  case serverRev = "server-rev"
  case attachmentList = "attachment-list"
}
