package import RasdModel

extension Profile {
  /// Reads a profile (Docs/profile.schema.json).
  ///
  /// - Throws: `unavailable` with `profile-invalid`, and `member` for what is wrong in it.
  package init(json: Span<UInt8>) throws(RasdError) {
    let value: JSONValue
    do { value = try JSONValue.parse(json) } catch {
      throw ProfileReader.invalid("\(error.fault.rawValue) at \(error.offset)")
    }
    try self.init(value)
  }

  package init(_ value: JSONValue) throws(RasdError) {
    let reader = ProfileReader(value, at: "")
    try reader.check(["profile", "name", "title", "tables", "indexes", "documents"])
    guard value["profile"]?.int == 1 else { throw ProfileReader.invalid("profile") }
    name = try reader.text("name")
    guard Self.isName(name) else { throw ProfileReader.invalid("name") }
    title = try reader.optionalText("title") ?? name
    var tables: [Table] = []
    for item in try reader.list("tables") { tables.append(try item.table()) }
    guard !tables.isEmpty else { throw ProfileReader.invalid("tables") }
    self.tables = tables
    var indexes: [IndexSchema] = []
    for item in try reader.list("indexes") {
      guard let sql = item.value.string, let index = IndexSchema.parse(Array(sql.utf8).span),
        tables.contains(where: { $0.schema.name.lowercased() == index.table.lowercased() })
      else { throw ProfileReader.invalid(item.place) }
      indexes.append(index)
    }
    self.indexes = indexes
    var documents: [DocumentRule] = []
    for item in try reader.list("documents") {
      documents.append(try item.documentRule(tables.map(\.schema)))
    }
    // A table is read once for each of its roles, so it has one.
    let roles = documents.flatMap { [$0.documents.lowercased(), $0.chunks.lowercased()] }
    guard Set(roles).count == roles.count else { throw ProfileReader.invalid("documents") }
    self.documents = documents
  }

  /// Words of lower-case letters and digits, joined by hyphens.
  private static func isName(_ name: String) -> Bool {
    name.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { word in
      !word.isEmpty
        && word.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
    }
  }
}

/// One JSON value of a profile, and where in it that stands.
struct ProfileReader {
  let value: JSONValue
  let place: String

  init(_ value: JSONValue, at place: String) {
    self.value = value
    self.place = place
  }

  static func invalid(_ member: String) -> RasdError {
    RasdError(.unavailable, .profileInvalid, ["member": .text(member)])
  }

  func inner(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  /// Refuses what is no object, and members that have no meaning.
  func check(_ known: [String]) throws(RasdError) {
    guard let members = value.members else { throw Self.invalid(place) }
    for member in members where !known.contains(member.name) {
      throw Self.invalid(inner(member.name))
    }
  }

  func text(_ name: String) throws(RasdError) -> String {
    guard let text = value[name]?.string, !text.isEmpty else { throw Self.invalid(inner(name)) }
    return text
  }

  func optionalText(_ name: String) throws(RasdError) -> String? {
    guard let there = value[name] else { return nil }
    guard let text = there.string else { throw Self.invalid(inner(name)) }
    return text
  }

  func list(_ name: String) throws(RasdError) -> [ProfileReader] {
    guard let there = value[name] else { return [] }
    guard let list = there.array else { throw Self.invalid(inner(name)) }
    return list.enumerated().map { ProfileReader($1, at: inner("\(name).\($0)")) }
  }

  func members(_ name: String) throws(RasdError) -> [(name: String, reader: ProfileReader)] {
    guard let there = value[name] else { return [] }
    guard let members = there.members else { throw Self.invalid(inner(name)) }
    return members.map {
      ($0.name, ProfileReader($0.value, at: inner("\(name).\($0.name)")))
    }
  }

  // MARK: Documents

  func documentRule(_ tables: [TableSchema]) throws(RasdError) -> DocumentRule {
    try check([
      "documents", "id", "bytes", "sha256", "chunks", "chunkDocument", "chunkIndex", "chunkData",
      "chunkBytes", "firstIndex",
    ])
    let documents = try table("documents", tables)
    let chunks = try table("chunks", tables)
    guard let size = value["chunkBytes"]?.int, size > 0 else {
      throw Self.invalid(inner("chunkBytes"))
    }
    var first: Int64 = 0
    if let there = value["firstIndex"] {
      guard let number = there.int else { throw Self.invalid(inner("firstIndex")) }
      first = number
    }
    return DocumentRule(
      documents: documents.name,
      id: try column("id", documents),
      bytes: value["bytes"] == nil ? nil : try column("bytes", documents),
      sha256: value["sha256"] == nil ? nil : try column("sha256", documents),
      chunks: chunks.name,
      chunkDocument: try column("chunkDocument", chunks),
      chunkIndex: try column("chunkIndex", chunks),
      chunkData: try column("chunkData", chunks),
      chunkBytes: size,
      firstIndex: first
    )
  }

  private func table(_ name: String, _ tables: [TableSchema]) throws(RasdError) -> TableSchema {
    let text = try text(name)
    guard let table = tables.first(where: { $0.name.lowercased() == text.lowercased() }) else {
      throw Self.invalid(inner(name))
    }
    return table
  }

  private func column(_ name: String, _ table: TableSchema) throws(RasdError) -> String {
    let text = try text(name)
    guard table.column(named: text) != nil else { throw Self.invalid(inner(name)) }
    return text
  }
}
