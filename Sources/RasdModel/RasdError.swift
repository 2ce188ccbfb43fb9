/// The one error type: a code of the storage contract, a reason and the facts around it.
///
/// Two errors are equal when code and reason are; the sentence a person reads is made late,
/// in one place, from these parts.
package struct RasdError: Error, Hashable, Sendable {
  package let code: StorageCode
  package let reason: Reason
  /// Facts by name: `path`, `entry`, `part`, `offset`, `line`, `page`, `limit`… Never a secret.
  package var details: [String: Detail]

  package init(_ code: StorageCode, _ reason: Reason, _ details: [String: Detail] = [:]) {
    self.code = code
    self.reason = reason
    self.details = details
  }

  package static func == (a: RasdError, b: RasdError) -> Bool {
    a.code == b.code && a.reason == b.reason
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(reason)
  }

  /// One fact of an error or a finding.
  package enum Detail: Hashable, Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([String])
    /// A name that is no UTF-8; it is shown with its bytes escaped.
    case bytes([UInt8])

    /// A name out of a file.
    package static func name(_ bytes: [UInt8]) -> Detail {
      String(validating: bytes, as: UTF8.self).map(Detail.text) ?? .bytes(bytes)
    }
  }
}

extension RasdError.Detail: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int64) { self = .number(value) }
}
