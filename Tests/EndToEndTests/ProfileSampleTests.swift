import Foundation
import RasdCrypto
import RasdModel
import SQLCipherKit
import TestSupport
import Testing

/// The damaged databases in `Samples/`, one for each profile, row by row.
@Suite struct ProfileSampleTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func salvage(_ evidence: String, _ more: [String] = []) throws -> ChildProcess.Result {
    let before = try FileTree(of: evidence)
    let run = try Product.run(
      ["salvage", "--quiet", "--to", folder.file("out"), "--report", folder.file("r.jsonl")] + more
        + [evidence]
    )
    #expect(try FileTree(of: evidence).changes(since: before) == [])
    let schema = try JSONSchema(file: "Docs/report.schema.json")
    for line in try folder.read("r.jsonl").split(separator: 0x0A) {
      #expect(schema.violations(of: try JSONValue.parse(Array(line))) == [])
    }
    return run
  }

  /// Each row, with its table and what its line says of it, in one form for both sides.
  private func found() throws -> [String] {
    var lines: [String] = []
    for file in FileTree.paths(under: folder.file("out/rows")) {
      for text in try folder.read("out/rows/\(file)").split(separator: 0x0A) {
        let line = try JSONValue.parse(Array(text))
        lines.append(try Self.form(line, table: String(file.dropLast(".jsonl".count))))
      }
    }
    for file in FileTree.paths(under: folder.file("out/files")) where file.contains("/") {
      let bytes = try folder.read("out/files/\(file)")
      lines.append("\(file) \(bytes.count) \(SHA256.digest(bytes.span).hex)")
    }
    return lines.sorted()
  }

  private func expected(_ sample: String) throws -> [String] {
    let text = try File.read(Checkout.path("Samples/\(sample)/truth.jsonl"))
    return try text.split(separator: 0x0A).map { text in
      let line = try JSONValue.parse(Array(text))
      if let file = line["file"]?.string, let content = line["content"] {
        let (bytes, hash) = (content["bytes"]?.int ?? -1, content["sha256"]?.string ?? "")
        return "\(file) \(bytes) \(hash)"
      }
      return try Self.form(line, table: try #require(line["table"]?.string))
    }.sorted()
  }

  private static func form(_ line: JSONValue, table: String) throws -> String {
    let row = try #require(line["row"]?.members).map { member in
      guard let text = member.value["base64"]?.string else { return member }
      let bytes = [UInt8](try #require(Data(base64Encoded: text)))
      let hash = SHA256.digest(bytes.span).hex
      let blob: JSONValue = [
        "bytes": .number(JSONNumber(Int64(bytes.count))), "sha256": .string(hash),
      ]
      return JSONValue.Member(member.name, blob)
    }
    var whole: [JSONValue.Member] = [
      .init("table", .string(table)), .init("row", .object(row)),
      .init("grade", line["grade"] ?? .null), .init("kind", line["kind"] ?? .null),
    ]
    if let holes = line["holes"] { whole.append(.init("holes", holes)) }
    return String(decoding: try JSONValue.object(whole).canonical(), as: UTF8.self)
  }

  private func expectSame(_ found: [String], _ expected: [String]) {
    let (there, wanted) = (Set(found), Set(expected))
    #expect(there.subtracting(wanted).sorted().map { $0.prefix(300) } == [], "not expected")
    #expect(wanted.subtracting(there).sorted().map { $0.prefix(300) } == [], "not found")
    #expect(found.count == expected.count)
  }

  @Test(
    "every row of a sample comes back under its table's name, and nothing else",
    arguments: [
      ("openkeep-cache", 1 as Int32), ("guidebook-mirror", 0), ("device-only-kv", 0),
    ]
  )
  func sample(_ name: String, _ status: Int32) throws {
    let run = try salvage(Checkout.path("Samples/\(name)/device"))
    #expect(run.status == status, "\(run.errorText)")
    expectSame(try found(), try expected(name))
  }

  @Test func theNamedProfileIsUsed() throws {
    let run = try salvage(
      Checkout.path("Samples/device-only-kv/device"),
      ["--profile", "guidebook-mirror", "--profile", "device-only-kv"]
    )
    #expect(run.status == 0, "\(run.errorText)")
    expectSame(try found(), try expected("device-only-kv"))
  }

  @Test func documentsAndChunksAreCounted() throws {
    let run = try salvage(Checkout.path("Samples/openkeep-cache/device"))
    #expect(
      run.outputText.contains(
        """
        4 whole + 2 with holes + 0 contradicted + 1 that no row names = 7 documents
        7 joined + 0 spare = 7 chunks
        """
      ),
      "\(run.outputText)"
    )
  }

  @Test("each row of the incident is what the phone had, or is marked")
  func incident() throws {
    let run = try salvage(
      Checkout.path("Samples/incident/device"),
      ["--key-file", try key(of: "incident/keys/device.key")]
    )
    #expect(run.status == 1, "\(run.errorText)")
    var truth: [String: JSONValue] = [:]
    for text in try File.read(Checkout.path("Samples/incident/truth.jsonl")).split(separator: 0x0A)
    {
      let line = try JSONValue.parse(Array(text))
      truth["\(line["table"]?.string ?? "")/\(line["row"]?["id"]?.string ?? "")"] = line["row"]
    }
    var seen: [String: Int] = [:]
    for file in FileTree.paths(under: folder.file("out/rows")) {
      for text in try folder.read("out/rows/\(file)").split(separator: 0x0A) {
        let line = try JSONValue.parse(Array(text))
        let table = String(file.dropLast(".jsonl".count))
        let isGood = !["doubtful", "partial", "contradicted"].contains(line["grade"]?.string ?? "")
        seen["\(table) \(isGood ? "good" : "marked")", default: 0] += 1
        guard isGood, let row = line["row"] else { continue }
        let id = row["id"]?.string ?? ""
        var expected = try #require(truth["\(table)/\(id)"], "\(table) \(id)")
        if table == "attachments", row["name"] == nil {
          // Its name has no column and is lost with its submission.
          seen["nameless", default: 0] += 1
          expected = .object((expected.members ?? []).filter { $0.name != "name" })
        }
        #expect(try row.canonical() == expected.canonical(), "\(table) \(id)")
      }
    }
    #expect(
      seen == [
        "submissions good": 47, "submissions marked": 6, "attachments good": 14, "forms good": 1,
        "outbox good": 12, "nameless": 1,
      ]
    )
  }

  private func key(of sample: String) throws -> String {
    let path = try folder.write(try File.read(Checkout.path("Samples/\(sample)")), to: "key")
    unsafe chmod(path, 0o600)
    return path
  }
}
