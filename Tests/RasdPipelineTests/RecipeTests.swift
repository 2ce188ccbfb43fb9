import RasdModel
import RasdPipeline
import TestSupport
import Testing

@Suite struct RecipeTests {
  private let schema: JSONSchema
  private let folder: TemporaryDirectory

  init() throws {
    schema = try JSONSchema(file: "Docs/recipe.schema.json")
    folder = try TemporaryDirectory()
  }

  @Test func membersBecomeOptionsRelativeToTheRecipe() throws {
    let recipe = try read(
      """
      {"recipe":1,"title":"t","command":"consolidate","sources":["in","/abs/x"],"store":"s",
       "strict":true,"dryRun":false,"policy":{"mode":"replace","takeDamaged":true,"profile":"own.json"},
       "keys":{"keyFiles":["k1","k2"],"fieldKeys":{"f1":"field.key"}},
       "filters":{"tables":["forms","kv"]}}
      """
    )
    #expect(recipe.command == "consolidate")
    #expect(recipe.operands == [folder.file("in"), "/abs/x"])
    let options = recipe.options.map { "\($0.name)=\($0.value)" }
    #expect(
      options == [
        "--store=\(folder.file("s"))", "--strict=", "--mode=replace", "--take-damaged=",
        "--profile=\(folder.file("own.json"))",
        "--key-file=\(folder.file("k1"))", "--key-file=\(folder.file("k2"))",
        "--field-key=f1=\(folder.file("field.key"))", "--tables=forms,kv",
      ]
    )
  }

  @Test(
    "what breaks the schema is refused, by reader and schema alike",
    arguments: [
      (#"{"command":"verify"}"#, "/recipe"),
      (#"{"recipe":2,"command":"verify"}"#, "/recipe"),
      (#"{"recipe":1}"#, "/command"),
      (#"{"recipe":1,"command":"run"}"#, "/command"),
      (#"{"recipe":1,"command":"keys"}"#, "/command"),
      (#"{"recipe":1,"command":"verify","force":true}"#, "/force"),
      (#"{"recipe":1,"command":"verify","policy":{"force":true}}"#, "/policy/force"),
      (#"{"recipe":1,"command":"verify","sources":"a"}"#, "/sources"),
      (#"{"recipe":1,"command":"verify","sources":[""]}"#, "/sources/0"),
      (#"{"recipe":1,"command":"verify","sources":["a\u0000b"]}"#, "/sources/0"),
      (#"{"recipe":1,"command":"verify","keys":{"passphrase":"secret"}}"#, "/keys/passphrase"),
      (#"{"recipe":1,"command":"verify","strict":"yes"}"#, "/strict"),
    ]
  )
  func refused(_ text: String, at pointer: String) throws {
    let error = #expect(throws: RasdError.self) { _ = try read(text) }
    #expect(error?.reason == .recipeInvalid)
    #expect(error?.details["pointer"] == .text(pointer))
    #expect(schema.violations(of: try JSONValue.parse(Array(text.utf8))) != [])
  }

  @Test func notJSONIsRefusedWithItsOffset() {
    let error = #expect(throws: RasdError.self) { _ = try read("{\"recipe\":1,}") }
    #expect(error?.details["offset"] == .number(12))
  }

  @Test func whatIsTooLargeForARecipeIsNotRead() throws {
    let text = #"{"recipe":1,"title":""# + String(repeating: "t", count: 9 << 20) + #""}"#
    let error = #expect(throws: RasdError.self) { _ = try read(text) }
    #expect(error?.reason == .recipeInvalid)
  }

  @Test(
    "shipped recipes fit the schema",
    arguments: ["consolidate-enumerators", "replace-device", "salvage-incident"]
  )
  func shipped(_ name: String) throws {
    let path = Checkout.path("Recipes/\(name).json")
    #expect(schema.violations(of: try JSONValue.parse(try File.read(path))) == [])
    _ = try RecipeFile(path: path)
  }

  private func read(_ text: String) throws -> Recipe {
    try RecipeFile(path: folder.write(text, to: "recipe.json")).recipe
  }
}
