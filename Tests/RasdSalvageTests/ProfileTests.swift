import Foundation
import RasdModel
import RasdSalvage
import TestSupport
import Testing

/// Profiles, by their schema and by their reader.
@Suite struct ProfileTests {
  private let schema: JSONSchema

  init() throws { schema = try JSONSchema(file: "Docs/profile.schema.json") }

  static let files = FileTree.paths(under: Checkout.path("Recipes/profiles"))

  @Test("shipped profiles fit the schema", arguments: files)
  func shipped(_ file: String) throws {
    let bytes = try File.read(Checkout.path("Recipes/profiles/\(file)"))
    #expect(schema.violations(of: try JSONValue.parse(bytes)) == [])
    #expect(try Profile(json: bytes.span).name + ".json" == file)
  }

  @Test func everyMemberIsRead() throws {
    let value = try JSONValue.parse(Array(BeeProfile.text.utf8))
    #expect(schema.violations(of: value) == [])
    #expect(try Profile(value).name == "bee-log")
  }

  @Test func whatTheSchemaRefusesTheReaderRefuses() throws {
    let mutants = Self.mutants(try JSONValue.parse(Array(BeeProfile.text.utf8)))
    var refused = 0
    for mutant in mutants where schema.violations(of: mutant) != [] {
      refused += 1
      let error = #expect(throws: RasdError.self, "\(mutant)") { _ = try Profile(mutant) }
      #expect(error?.reason == .profileInvalid)
    }
    #expect(refused > 500, "of \(mutants.count)")
  }

  /// `value` with one thing in it changed, taken out or added, each in turn.
  private static func mutants(_ value: JSONValue) -> [JSONValue] {
    var mutants: [JSONValue] = [.null, true, -1, "", "no such thing", [], [7], ["surplus": 1]]
    switch value {
    case .array(let items):
      for i in items.indices {
        var rest = items
        rest.remove(at: i)
        mutants.append(.array(rest))
        mutants += Self.mutants(items[i]).map { mutant in
          var items = items
          items[i] = mutant
          return .array(items)
        }
      }
    case .object(let members):
      mutants.append(.object(members + [.init("surplus", 1)]))
      for i in members.indices {
        var rest = members
        rest.remove(at: i)
        mutants.append(.object(rest))
        mutants += Self.mutants(members[i].value).map { mutant in
          var members = members
          members[i] = .init(members[i].name, mutant)
          return .object(members)
        }
      }
    default: break
    }
    return mutants
  }

  @Test(
    "what only the reader can know is refused with its place",
    arguments: [
      (#""sql": "CREATE TABLE hives ("#, #""sql": "CREATE VIEW hives ("#, "tables.0.sql"),
      (#""state": { "values""#, #""status": { "values""#, "tables.0.columns.status"),
      (#""changed_at": { "name""#, #""changed": { "name""#, "tables.4.row.members.changed"),
      ("ON visits(", "ON visit(", "indexes.0"),
      (#""chunks": "recording_parts""#, #""chunks": "parts""#, "documents.0.chunks"),
      (#""chunkData": "samples""#, #""chunkData": "data""#, "documents.0.chunkData"),
      (#""bytes": "length""#, #""bytes": "size""#, "documents.0.bytes"),
      (#""name": "bee-log""#, #""name": "bee--log""#, "name"),
    ]
  )
  func refused(_ old: String, _ new: String, _ place: String) throws {
    let text = BeeProfile.text.replacing(old, with: new)
    try #require(text != BeeProfile.text)
    let error = #expect(throws: RasdError.self) { _ = try Profile(json: Array(text.utf8).span) }
    #expect(error?.details["member"] == .text(place))
  }
}
