internal import RasdModel

/// How a table's columns become a row of one of the format's tables (the format, §Rows).
struct RowMapping: Hashable, Sendable {
  enum Form: String, Hashable, Sendable {
    /// The value as it is.
    case value
    /// 0 or 1, a Boolean in the row.
    case boolean
    /// JSON as text or JSONB, or a payload envelope of it.
    case json
    /// A JSON object whose members stand in the row itself.
    case spread
    /// Not part of the row.
    case dropped
  }

  struct Member: Hashable, Sendable {
    /// The column's name in the database.
    let column: String
    /// `"name":` as it stands in the row.
    let label: [UInt8]
    let form: Form

    init(column: String, name: String, form: Form) {
      self.column = column
      self.form = form
      var label: [UInt8] = []
      JSONText.appendQuoted(name, to: &label)
      label.append(UInt8(ascii: ":"))
      self.label = label
    }
  }

  let table: TableName
  /// One for each column that the profile names.
  let members: [Member]
}
