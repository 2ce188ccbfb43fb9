import Foundation
import Glibc
import RasdModel
import TestSupport
import Testing

/// Grades of salvaged rows on their way through exports and stores.
@Suite struct GradeTests {
  let folder: TemporaryDirectory
  private let key: String
  private let deviceKey: String
  private let evidence: String

  /// A damaged device's database, and the key of everything that is made of it.
  init() throws {
    folder = try TemporaryDirectory()
    evidence = folder.file("made/device.db")
    key = try folder.write(String(repeating: "5a", count: 32), to: "all.key")
    deviceKey = folder.file("device.key")
    unsafe chmod(key, 0o600)
  }

  private func makeDevice() throws {
    let made = try Python.run(
      "devicedb.py",
      [folder.file("made"), "--rows", "60", "--seed", "9", "--cipher", "4", "--damage", "zero:2"]
    )
    try #require(made.status == 0, "\(made.errorText)")
    try FileManager.default.moveItem(atPath: folder.file("made/key.txt"), toPath: deviceKey)
    unsafe chmod(deviceKey, 0o600)
  }

  private func rasdkit(_ arguments: [String], _ statuses: [Int32] = [0, 1]) throws -> String {
    let run = try Product.run(arguments)
    try #require(statuses.contains(run.status), "\(arguments[0]): \(run.errorText)")
    return run.outputText
  }

  private func lines(_ path: String) throws -> [[String: Any]] {
    try folder.read(path).split(separator: 0x0A).compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    }
  }

  private func store(_ name: String) -> [String] {
    ["--store", folder.file(name), "--store-key-file", key]
  }

  /// By id, what a store's versions say of grades.
  private func grades(_ name: String) throws -> [String: String] {
    let out = "\(name).lines"
    _ = try rasdkit(
      ["export", "--quiet", "--format", "jsonl", "--force", "--to", folder.file(out)] + store(name)
    )
    var grades: [String: String] = [:]
    for line in try lines("\(out)/submission_versions.jsonl") {
      let id = try #require(line["id"] as? String)
      if let grade = line["grade"] as? String { grades[id] = grade }
    }
    return grades
  }

  private func digest(_ name: String) throws -> String { try rasdkit(["digest"] + store(name)) }

  @Test(
    "a store keeps the grade with the observation, and so does what is made of it",
    .databaseTools
  )
  func kept() throws {
    try makeDevice()
    let salvage = [
      "salvage", "--quiet", "--key-file", deviceKey, "--namespace", "wfp-jo.u_1", evidence,
    ]
    _ = try rasdkit(salvage + ["--into", folder.file("a"), "--store-key-file", key])
    let graded = try grades("a")
    let rows = try lines("a.lines/submissions.jsonl")
    #expect(graded.count == rows.count && graded.count > 20)
    #expect(Set(graded.values).isSubset(of: ["verified", "intact"]))
    #expect(Set(graded.values).count == 2)

    // Through an export of the salvage, and through the store's own export.
    let sealed = ["--to", folder.file("s.rasdx"), "--to-key-file", key]
    _ = try rasdkit(salvage + sealed)
    let report = ["--report", folder.file("b.jsonl"), "--quiet"]
    _ = try rasdkit(
      ["consolidate", "--key-file", key, folder.file("s.rasdx")] + store("b") + report
    )
    #expect(try grades("b") == graded)
    let finding = try lines("b.jsonl").first { $0["reason"] as? String == "salvaged-rows" }
    let details = finding?["details"] as? [String: Any]
    #expect((details?["grades"] as? [String])?.count == 2, "\(String(describing: finding))")
    _ = try rasdkit(
      ["export", "--quiet", "--to", folder.file("b.rasdx"), "--to-key-file", key] + store("b")
    )
    _ = try rasdkit(
      ["consolidate", "--quiet", "--key-file", key, folder.file("b.rasdx")] + store("c")
    )
    #expect(try grades("c") == graded)
    #expect(try digest("a") == digest("b") && digest("b") == digest("c"))

    // What a retracted salvage said is not said any more.
    let sources = try rasdkit(["sources", "list", "--json"] + store("c"))
    let id = try #require(sources.firstMatch(of: #/[0-9a-f]{8}-[0-9a-f-]{27}/#)?.output)
    _ = try rasdkit(["sources", "exclude", String(id), "--quiet"] + store("c"))
    #expect(try grades("c") == [:])
    _ = try rasdkit(["sources", "purge", "--quiet"] + store("c"))
    _ = try rasdkit(["check", "--quiet"] + store("c"), [0])
  }

  @Test("copies of one id that a better one stands for are reported", .databaseTools)
  func copies() throws {
    let made = try Python.run(
      "devicedb.py",
      [folder.file("made"), "--rows", "40", "--seed", "9", "--cipher", "plain"]
    )
    try #require(made.status == 0, "\(made.errorText)")
    let program = """
      import shutil, sqlite3, sys
      shutil.copy(sys.argv[1], sys.argv[1][:-3] + ".pre-2.db")
      with sqlite3.connect(sys.argv[1]) as db:
          changed = db.execute("UPDATE submissions SET client_rev = client_rev + 1").rowcount
      print(changed)
      """
    let changed = try Python.run(program: program, [evidence])
    try #require(changed.status == 0, "\(changed.errorText)")
    let count = try #require(Int(changed.lines.first ?? ""))
    let said = try rasdkit([
      "salvage", "--namespace", "wfp-jo.u_1", "--include", "history", folder.file("made"), "--to",
      folder.file("s.rasdx"), "--to-key-file", key, "--report", folder.file("r.jsonl"),
    ])
    #expect(said.contains("\(count) with a better copy"), "\(said)")
    let copies = try lines("r.jsonl").filter { $0["reason"] as? String == "better-copy" }
    #expect(copies.count == count && count > 20)
    let schema = try JSONSchema(file: "Docs/report.schema.json")
    for line in try folder.read("r.jsonl").split(separator: 0x0A) {
      #expect(schema.violations(of: try JSONValue.parse(Array(line))) == [])
    }
  }

  @Test("a conflict names the salvaged side's grade, in either order", .databaseTools)
  func conflict() throws {
    try makeDevice()
    _ = try rasdkit([
      "salvage", "--quiet", "--key-file", deviceKey, "--namespace", "wfp-jo.u_1", evidence,
      "--to", folder.file("s.rasdx"), "--to-key-file", key,
    ])
    let program = """
      import hashlib, json, random, sys, rasdx, rfc8785
      row = json.loads(sys.stdin.read())
      row["data"] = {"changed": True}
      P = {k: row[k] for k in ("id", "formId", "formVersion", "definitionHash", "data", "meta") if k in row}
      P["attachments"] = [{k: a[k] for k in ("id", "field", "mime", "bytes", "sha256") if k in a}
                          for a in row.get("attachments") or []]
      row["checksum"] = "sha256:" + hashlib.sha256(rfc8785.dumps(P)).hexdigest()
      rasdx.write(sys.argv[1], namespace="wfp-jo.u_2", exported_at="2026-09-02T00:00:00Z",
                  tables={"submissions": [row]}, blobs={}, rng=random.Random(4),
                  suite="c2sp-chunked-aes256gcm-sha512", slots=[("key", bytes.fromhex("5a" * 32))])
      """
    _ = try rasdkit(
      ["consolidate", "--quiet", "--key-file", key, folder.file("s.rasdx")] + store("first")
    )
    let graded = try grades("first")
    let row = try #require(
      try lines("first.lines/submissions.jsonl").first { row in
        row["status"] as? String != "draft" && graded[row["id"] as? String ?? ""] == "verified"
      }
    )
    let input = Array(try JSONSerialization.data(withJSONObject: row))
    let made = try Python.run(program: program, [folder.file("other.rasdx")], input: input)
    try #require(made.status == 0, "\(made.errorText)")

    let both = [folder.file("s.rasdx"), folder.file("other.rasdx")]
    for (name, order) in [("x", both), ("y", both.reversed())] {
      for (i, path) in order.enumerated() {
        _ = try rasdkit(
          [
            "consolidate", "--quiet", "--key-file", key, "--report",
            folder.file("\(name)\(i).jsonl"),
          ]
            + store(name) + [path]
        )
      }
      let events = try lines("\(name)1.jsonl").filter {
        $0["event"] as? String == "row" && $0["outcome"] as? String == "conflict"
          && ($0["provenance"] as? [String: Any])?["entry"] == nil
      }
      #expect(events.count == 2, "\(events)")
      #expect(events.compactMap { $0["grade"] as? String } == ["verified"])
    }
    #expect(try digest("x") == digest("y"))
    #expect(try grades("x") == graded && grades("y") == graded)
  }
}
