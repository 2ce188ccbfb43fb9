import Foundation
import RasdModel
import TestSupport
import Testing

@Suite struct FactNameTests {
  /// A detail is written as `"name": .text(…)` or `details["name"] = .text(…)`.
  @Test func everyFactThatTheCodeNamesIsNamedByTheSchema() throws {
    let schema = try JSONValue.parse(try File.read(Checkout.path("Docs/report.schema.json")))
    let named = Set((schema["$defs"]?["facts"]?["properties"]?.members ?? []).map(\.name))
    let pattern = try Regex(#""([a-zA-Z0-9]+)"(?:: |\] = )\.(?:text|number|flag|list)\("#)
    var found = 0
    for file in try FileManager.default.subpathsOfDirectory(atPath: Checkout.path("Sources"))
    where file.hasSuffix(".swift") && !file.hasPrefix("rasdkit-bench")
      && !file.hasSuffix("+JSON.swift")
    {
      let text = String(decoding: try File.read(Checkout.path("Sources/\(file)")), as: UTF8.self)
      for match in text.matches(of: pattern) {
        let name = String(match.output[1].substring ?? "")
        found += 1
        #expect(named.contains(name), "\(name) in \(file)")
      }
    }
    #expect(found > 50)
  }
}
