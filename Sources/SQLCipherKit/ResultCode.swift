internal import CSQLCipher
internal import RasdModel

/// A result code of SQLite, extended or primary.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The low byte: the class of an extended code.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  package static let ok = ResultCode(rawValue: SQLITE_OK)
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  package static let row = ResultCode(rawValue: SQLITE_ROW)
  package static let done = ResultCode(rawValue: SQLITE_DONE)
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  package static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
}

extension ResultCode {
  /// The error a caller sees: the code of the storage contract that fits, SQLite's own number
  /// and its message, which names tables and columns but never a bound value.
  ///
  /// `systemError`: `errno` of the failed system call, which tells a full disk from
  ///   other trouble with the device.
  func error(message: String, systemError: Int32) -> RasdError {
    let details: [String: RasdError.Detail] = [
      "sqlite": .number(Int64(rawValue)), "message": .text(message),
    ]
    switch primary {
    case .full: return RasdError(.quota, .diskFull, details)
    case .busy, .locked: return RasdError(.locked, .storeBusy, details)
    // A page whose authentication fails while a statement runs has no message of its own.
    case .error where message == "SQL logic error":
      return RasdError(.corrupt, .storeDamaged, details)
    case .corrupt, .notADatabase: return RasdError(.corrupt, .storeDamaged, details)
    case .readOnly: return RasdError(.unavailable, .readOnly, details)
    case .inputOutput, .cannotOpen: return .system(systemError, or: .ioError, details)
    default: return RasdError(.integrity, .sqliteError, details)
    }
  }
}
