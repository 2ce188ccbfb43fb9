internal import RasdModel

extension ProfileReader {
  func table() throws(RasdError) -> Profile.Table {
    try check(["sql", "columns", "row"])
    guard var schema = TableParser.parse(try text("sql")) else { throw Self.invalid(inner("sql")) }
    for (name, reader) in try members("columns") {
      guard let column = schema.column(named: name) else { throw Self.invalid(reader.place) }
      try reader.check(["pattern", "values"])
      if let pattern = try reader.optionalText("pattern") {
        guard let known = ValuePattern(rawValue: pattern) else {
          throw Self.invalid(reader.inner("pattern"))
        }
        schema.columns[column].pattern = known
      }
      if reader.value["values"] != nil { schema.columns[column].allowed = [] }
      for item in try reader.list("values") {
        guard let text = item.value.string else { throw Self.invalid(item.place) }
        schema.columns[column].allowed.append(text)
      }
    }
    guard let row = value["row"] else { return Profile.Table(schema: schema, mapping: nil) }
    let mapping = try ProfileReader(row, at: inner("row")).mapping(of: schema)
    return Profile.Table(schema: schema, mapping: mapping)
  }

  private func mapping(of schema: TableSchema) throws(RasdError) -> RowMapping {
    try check(["table", "members"])
    guard let table = TableName(try text("table")), TableName.rasd.contains(table) else {
      throw Self.invalid(inner("table"))
    }
    var members: [RowMapping.Member] = schema.columns.map {
      RowMapping.Member(column: $0.name, name: Self.camelCase($0.name), form: .value)
    }
    for (name, reader) in try self.members("members") {
      guard let column = schema.column(named: name) else { throw Self.invalid(reader.place) }
      try reader.check(["name", "form"])
      let form = RowMapping.Form(rawValue: try reader.optionalText("form") ?? "value")
      guard let form else { throw Self.invalid(reader.inner("form")) }
      members[column] = RowMapping.Member(
        column: schema.columns[column].name,
        name: reader.value["name"] == nil ? Self.camelCase(name) : try reader.text("name"),
        form: form
      )
    }
    return RowMapping(table: table, members: members)
  }

  /// `updated_at` → `updatedAt`.
  private static func camelCase(_ name: String) -> String {
    var out = ""
    var raises = false
    for character in name {
      if character == "_", !out.isEmpty {
        raises = true
      } else {
        out += raises ? character.uppercased() : String(character)
        raises = false
      }
    }
    return out
  }
}
