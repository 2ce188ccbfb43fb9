/// How a column converts what is stored into it (SQLite datatypes, §3).
enum Affinity: Hashable, Sendable {
  case integer, text, blob, real, numeric

  /// The affinity of a declared type, by SQLite's five rules in their order.
  init(declared type: String) {
    let type = type.lowercased()
    if type.contains("int") {
      self = .integer
    } else if type.contains("char") || type.contains("clob") || type.contains("text") {
      self = .text
    } else if type.contains("blob") || type.isEmpty {
      self = .blob
    } else if type.contains("real") || type.contains("floa") || type.contains("doub") {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Whether a column of this affinity ever stores this serial type.
  ///
  /// TEXT turns numbers into text. The others leave text alone that is no number, so it is
  /// possible, if rare; see `expects`.
  func allows(_ type: UInt64) -> Bool {
    self != .text || !(type >= 1 && type <= 9)
  }

  /// Whether the serial type is what such a column usually holds.
  func expects(_ type: UInt64) -> Bool {
    if type == 0 { return true }
    return switch self {
    case .integer: SerialType.isInteger(type)
    case .real, .numeric: SerialType.isInteger(type) || type == 7
    case .text: SerialType.isText(type)
    case .blob: true
    }
  }
}
