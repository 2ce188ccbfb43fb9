package import RasdModel

/// What of a row's key a report may show.
///
/// Ids and names of tables may be mailed; keys of datasets and kv are somebody's data, so a
/// keyed hash stands for each, unless values were asked for.
package struct KeyShade: Sendable {
  /// Hides one text: the first 16 hex digits of an HMAC with a key that never leaves.
  package typealias Hide = @Sendable (String) -> String

  private let hide: Hide?

  package static let values = KeyShade(hide: nil)

  package static func hashed(_ hide: @escaping Hide) -> KeyShade { KeyShade(hide: hide) }

  private init(hide: Hide?) { self.hide = hide }

  /// The key as the report shows it: its one part, or an array of its parts.
  package func json(_ key: RowKey) -> JSONValue {
    let parts = key.parts.enumerated().map { index, part -> JSONValue in
      guard let hide, isPrivate(key.table, index) else { return .string(part) }
      return .string("hmac:\(hide(part))")
    }
    return parts.count == 1 ? parts[0] : .array(parts)
  }

  private func isPrivate(_ table: TableName, _ index: Int) -> Bool {
    switch table {
    case .datasets, .kv: index == 1
    default: false
    }
  }
}
