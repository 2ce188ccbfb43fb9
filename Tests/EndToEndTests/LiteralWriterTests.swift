import Foundation
import RasdCrypto
import RasdModel
import TestSupport
import Testing

/// A writer that knows the page of the format and nothing else must be taken, whatever it chooses
/// where the page leaves it a choice: `Tools/literal_writer.py`.
@Suite struct LiteralWriterTests {
  @Test("odd but legal exports are whole, and every row and blob arrives", .writerModules)
  func oddButLegal() throws {
    let folder = try TemporaryDirectory()
    let first = Int.random(in: 1...1_000_000)
    let made = try Self.make(
      "literal_writer.py",
      folder.path + "/made",
      ["\(Soak.rounds(short: 60, long: 2000))", "\(first)"]
    )
    print("literal writer: first seed \(first)")
    let truth = try Truth(made + "/truth.json")

    let store = try TestStore("store", in: folder.path)
    let report = folder.path + "/report.jsonl"
    let sources = Self.sources(in: made)
    try store.consolidate(sources, ["--report", report])
    let events = try Events(report)
    for (name, reason) in events.refusals {
      Issue.record("\(name): \(reason): \(truth.exports[name]?.chosen ?? [:])")
    }
    #expect(events.totals.prefix(2).reduce(0, +) == truth.exports.values.reduce(0) { $0 + $1.rows })
    #expect(events.totals.suffix(2) == [0, 0])

    let rows = folder.path + "/rows"
    try store.run("export", ["--to", rows, "--format", "jsonl"])
    let lines = try String(decoding: File.read(rows + "/submissions.jsonl"), as: UTF8.self)
    #expect(
      Set(lines.utf8.split(separator: 0x0A).map(Array.init))
        == Set(truth.exports.values.flatMap(\.lines).map { Array($0.utf8) })
    )
    let held = try FileTree(of: rows + "/attachments").entries.values
      .filter { !$0.isDirectory }.map { SHA256.digest($0.bytes.span).hex }
    #expect(Set(held) == Set(truth.exports.values.flatMap(\.blobs)))
    let verified = try Product.run(["verify", "--quiet"] + sources)
    #expect(verified.status == 0, "\(verified.errorText)")
  }

  @Test("what breaks one sentence of the format is refused for it", .writerModules)
  func forbidden() throws {
    let folder = try TemporaryDirectory()
    let made = try Self.make("forbidden_exports.py", folder.path + "/made", [])
    let expected = try JSONDecoder().decode(
      [String: String].self,
      from: Data(File.read(made + "/expect.json"))
    )
    try #require(expected.count > 200)
    let store = try TestStore("store", in: folder.path)
    let report = folder.path + "/report.jsonl"
    let sources = Self.sources(in: made)
    try store.consolidate(sources, ["--report", report], status: 1)
    let events = try Events(report)
    for (name, reason) in expected { #expect(events.refusals[name] == reason, "\(name)") }
    #expect(events.totals == [0, 0, 0, 0])
    _ = try Product.run(["verify", "--quiet", "--report", report] + sources)
    #expect(try Events(report).refusals == expected)
  }

  /// Runs a program of the tests' own that writes exports; answers the folder.
  private static func make(
    _ program: String,
    _ folder: String,
    _ arguments: [String]
  ) throws -> String {
    let made = try ChildProcess.run(
      Python.executable,
      Python.command(
        [Checkout.path("Tests/EndToEndTests/Tools/" + program), folder] + arguments
      ),
      environment: ["PYTHONDONTWRITEBYTECODE": "1"]
    )
    try #require(made.status == 0, "\(made.errorText)")
    return folder
  }

  /// All exports of a folder and the keys that open them.
  private static func sources(in folder: String) -> [String] {
    let keys = [
      ("--key-file", "raw.key"), ("--passphrase-file", "passphrase"), ("--identity", "x25519.pem"),
      ("--identity", "p256.pem"),
    ]
    return [folder + "/exports", "--allow-plaintext"] + keys.flatMap { [$0, folder + "/" + $1] }
  }

  private struct Truth {
    struct Export: Decodable {
      let lines: [String]
      let rows: Int
      let blobs: [String]
      let chosen: [String: Chosen]
    }
    /// Whatever was chosen, as text.
    struct Chosen: Decodable, CustomStringConvertible {
      let description: String
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        description =
          if let text = try? value.decode(String.self) { text } else {
            try "\(value.decode(Int.self))"
          }
      }
    }
    let exports: [String: Export]

    init(_ path: String) throws {
      exports = try JSONDecoder().decode([String: Export].self, from: Data(File.read(path)))
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only where the writer's two Python modules are.
  fileprivate static var writerModules: Self {
    .enabled(
      if: Python.imports(["cryptography", "rfc8785"]),
      "skipped: the Python modules cryptography, rfc8785 are absent"
    )
  }
}
