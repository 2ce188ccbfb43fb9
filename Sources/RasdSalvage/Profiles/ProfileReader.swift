package import RasdModel

extension Profile {
  /// Reads a profile (Docs/profile.schema.json).
  ///
  /// - Throws: `unavailable` with `profile-invalid`, and `member` for what is wrong in it.
  package init(json: Span<UInt8>) throws(RasdError) {
    let value: JSONValue
    do { value = try JSONValue.parse(json) } catch {
      throw Self.invalid("\(error.fault.rawValue) at \(error.offset)")
    }
    try self.init(value)
  }

  package init(_ value: JSONValue) throws(RasdError) {
    try Self.check(value, members: ["profile", "name", "title", "tables", "indexes", "documents"])
    guard value["profile"]?.int == 1 else { throw Self.invalid("profile") }
    guard let name = value["name"]?.string, !name.isEmpty else { throw Self.invalid("name") }
    self.name = name
    title = value["title"]?.string ?? name
    guard let list = value["tables"]?.array, !list.isEmpty else { throw Self.invalid("tables") }
    var tables: [Table] = []
    for item in list { tables.append(try Self.table(item)) }
    self.tables = tables
    var indexes: [IndexSchema] = []
    for item in value["indexes"]?.array ?? [] {
      guard let sql = item.string, let index = IndexSchema.parse(Array(sql.utf8).span) else {
        throw Self.invalid("indexes")
      }
      indexes.append(index)
    }
    self.indexes = indexes
    var documents: [DocumentRule] = []
    for item in value["documents"]?.array ?? [] { documents.append(try Self.rule(item)) }
    self.documents = documents
  }

  private static func table(_ value: JSONValue) throws(RasdError) -> Table {
    try check(value, members: ["sql", "columns", "row"])
    guard let sql = value["sql"]?.string, var schema = TableParser.parse(sql) else {
      throw invalid("tables.sql")
    }
    for member in value["columns"]?.members ?? [] {
      guard let column = schema.column(named: member.name) else {
        throw invalid("\(schema.name).columns.\(member.name)")
      }
      try check(member.value, members: ["pattern", "values"])
      if let pattern = member.value["pattern"] {
        guard let known = pattern.string.flatMap(ValuePattern.init(rawValue:)) else {
          throw invalid("\(schema.name).columns.\(member.name).pattern")
        }
        schema.columns[column].pattern = known
      }
      if let values = member.value["values"]?.array {
        schema.columns[column].allowed = values.compactMap(\.string)
      }
    }
    return Table(
      schema: schema,
      mapping: try value["row"].map { row throws(RasdError) in
        try mapping(row, schema)
      }
    )
  }

  private static func mapping(
    _ value: JSONValue,
    _ schema: TableSchema
  ) throws(RasdError) -> RowMapping {
    try check(value, members: ["table", "members"])
    guard let table = value["table"]?.string.flatMap({ TableName($0) }) else {
      throw invalid("\(schema.name).row.table")
    }
    var members: [RowMapping.Member] = []
    for column in schema.columns {
      let told = value["members"]?[column.name]
      if let told { try check(told, members: ["name", "form"]) }
      let name = told?["name"]?.string ?? camelCase(column.name)
      let form: RowMapping.Form
      switch told?["form"]?.string {
      case nil, "value": form = .value
      case "boolean": form = .boolean
      case "json": form = .json
      case "spread": form = .spread
      case "dropped": form = .dropped
      default: throw invalid("\(schema.name).row.members.\(column.name).form")
      }
      var label: [UInt8] = []
      JSONText.appendQuoted(name, to: &label)
      label.append(UInt8(ascii: ":"))
      members.append(RowMapping.Member(column: column.name, label: label, form: form))
    }
    return RowMapping(table: table, members: members)
  }

  private static func rule(_ value: JSONValue) throws(RasdError) -> DocumentRule {
    try check(
      value,
      members: [
        "documents", "id", "bytes", "sha256", "chunks", "chunkDocument", "chunkIndex", "chunkData",
        "chunkBytes", "firstIndex",
      ]
    )
    func text(_ name: String) throws(RasdError) -> String {
      guard let text = value[name]?.string else { throw invalid("documents.\(name)") }
      return text
    }
    guard let size = value["chunkBytes"]?.int.flatMap(Int.init(exactly:)), size > 0 else {
      throw invalid("documents.chunkBytes")
    }
    return DocumentRule(
      documents: try text("documents"),
      id: try text("id"),
      bytes: value["bytes"]?.string,
      sha256: value["sha256"]?.string,
      chunks: try text("chunks"),
      chunkDocument: try text("chunkDocument"),
      chunkIndex: try text("chunkIndex"),
      chunkData: try text("chunkData"),
      chunkBytes: size,
      firstIndex: value["firstIndex"]?.int ?? 0
    )
  }

  private static func check(_ value: JSONValue, members: [String]) throws(RasdError) {
    guard let there = value.members else { throw invalid("") }
    for member in there where !members.contains(member.name) { throw invalid(member.name) }
  }

  private static func invalid(_ member: String) -> RasdError {
    RasdError(.unavailable, .profileInvalid, ["member": .text(member)])
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
