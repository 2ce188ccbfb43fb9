import Foundation
import RasdModel
import TestSupport
import Testing

/// The corpora that others published for JSON and its canonical form.
@Suite struct PublishedVectorTests {
  static let parsing = "corpora/json-parsing/test_parsing"
  static let canonical = "corpora/jcs"

  /// The two documents with a doubled name are JSON, though no row may be like them.
  static let withDoubledNames: Set = [
    "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
  ]

  @Test(.shared(parsing)) func everyValidDocumentIsTaken() throws {
    let names = try Self.names(in: Self.parsing, prefix: "y_")
    #expect(names.count == 95)
    for name in names {
      let bytes = try File.read(Shared.path(Self.parsing + "/" + name))
      if Self.withDoubledNames.contains(name) {
        #expect(throws: JSONError.self, "\(name)") { try JSONValue.parse(bytes) }
        var rules = JSONRules.strict
        rules.duplicates = .kept
        #expect(throws: Never.self, "\(name)") { try JSONValue.parse(bytes, rules: rules) }
      } else {
        #expect(throws: Never.self, "\(name)") { try JSONValue.parse(bytes) }
      }
    }
  }

  @Test(.shared(parsing)) func everyInvalidDocumentIsRefused() throws {
    let names = try Self.names(in: Self.parsing, prefix: "n_")
    #expect(names.count == 188)
    var rules = JSONRules.strict
    rules.duplicates = .kept
    for name in names {
      let bytes = try File.read(Shared.path(Self.parsing + "/" + name))
      let error = #expect(throws: JSONError.self, "\(name)") {
        try JSONValue.parse(bytes, rules: rules)
      }
      #expect((0...bytes.count).contains(error?.offset ?? -1), "\(name)")
    }
  }

  /// What may be taken or not must at least come back unchanged where it is taken.
  @Test(.shared(parsing)) func everyOtherDocumentGetsAnAnswer() throws {
    for name in try Self.names(in: Self.parsing, prefix: "i_") {
      let bytes = try File.read(Shared.path(Self.parsing + "/" + name))
      guard let value = try? JSONValue.parse(bytes) else { continue }
      #expect(value.text == bytes.filter { $0 != 0x0A }, "\(name)")
    }
  }

  @Test(
    .shared(canonical),
    arguments: ["arrays", "french", "structures", "unicode", "values", "weird"]
  )
  func publishedPair(_ name: String) throws {
    let input = try File.read(Shared.path(Self.canonical + "/input/\(name).json"))
    let output = try File.read(Shared.path(Self.canonical + "/output/\(name).json"))
    let canonical = try JSONValue.parse(input).canonical()
    #expect(canonical == output)
    #expect(try canonicalForm(of: input) == output)
    let hex = String(
      decoding: try File.read(Shared.path(Self.canonical + "/outhex/\(name).txt")),
      as: UTF8.self
    )
    #expect(canonical == Hex.decode(hex.filter { !$0.isWhitespace }))
  }

  @Test(.shared(canonical)) func allNumbers() throws {
    let file = try File.read(Shared.path(Self.canonical + "/es6testfile100k.txt"))
    var count = 0
    for line in file.split(separator: 0x0A) {
      let fields = line.split(separator: 0x2C)
      let bits = try #require(UInt64(String(decoding: fields[0], as: UTF8.self), radix: 16))
      let expected = Array(fields[1])
      let value = Double(bitPattern: bits)
      var written: [UInt8] = []
      ES6Number.append(value, to: &written)
      let reread = try canonicalForm(of: expected)
      let fromSwift = try canonicalForm(of: Array(value.description.utf8))
      if written != expected || reread != expected || fromSwift != expected {
        Issue.record("\(String(decoding: line, as: UTF8.self))")
      }
      count += 1
    }
    #expect(count == 100_000)
  }

  private static func names(in folder: String, prefix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Shared.path(folder))
      .filter { $0.hasPrefix(prefix) }.sorted()
  }
}

/// The canonical form of a text, by the tape.
func canonicalForm(of json: [UInt8], rules: JSONRules = .strict) throws(JSONError) -> [UInt8] {
  var tape = JSONTape()
  try tape.parse(json.span, rules: rules)
  var canonical: [UInt8] = []
  tape.writeCanonical(in: json.span, to: &canonical)
  return canonical
}
