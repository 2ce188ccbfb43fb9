import Foundation
import RasdModel
import TestSupport
import Testing

/// What a tired person gets wrong, and what they are told then.
@Suite struct CommandCareTests {
  private static let program = """
    export("one", [sub("a"), sub("b", formId="nutrition")],
           outbox=[{"id": "o1", "kind": "submission", "targetId": "a", "status": "pending", "payload": {"x": 1}},
                   {"id": "o2", "kind": "submission", "targetId": "b", "status": "pending", "payload": {"x": 2}},
                   {"id": "o3", "kind": "record", "targetId": "r", "status": "pending", "payload": {"x": 3}}])
    export("two", [sub("c")], namespace="wfp-jo.u_2")
    """

  @Test(
    "a filter that names nothing is refused and says what is like it",
    .containerTools,
    arguments: [
      (["--for-device", "nobody"], "wfp-jo.u_1"), (["--for-device", "wfp-jo.u_3"], "wfp-jo.u_1"),
      (["--form", "nutritoin"], "nutrition"),
      (["--form", "nutrition", "--form", "x"], "household"),
      (["--tables", "forms,x_tracks"], "submissions"),
    ] as [([String], String)]
  )
  func unknownNames(_ filter: [String], near: String) throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx", "two.rasdx"])
    for format in [["--format", "jsonl"], ["--to-plaintext"]] {
      let target = cases.folder.path + "/out"
      let said = try cases.store.run("export", ["--to", target] + format + filter, status: 3)
      #expect(said.errorText.contains("filter-unknown]") && said.errorText.contains(near))
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }

  @Test("an export of a form has the outbox rows of that form", .containerTools)
  func outboxOfForm() throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx", "two.rasdx"])
    let target = cases.folder.path + "/out"
    try cases.store.run(
      "export",
      ["--to", target, "--format", "jsonl", "--form", "nutrition"]
    )
    let ids = try Events(target + "/outbox.jsonl").all.compactMap { $0["id"] as? String }
    #expect(ids.sorted() == ["o2", "o3", "submission:b"])

    try cases.store.run(
      "export",
      ["--to", target, "--force", "--format", "jsonl", "--for-device", "wfp-jo.u_2"]
    )
    let due = try Events(target + "/outbox.jsonl").all.compactMap { $0["id"] as? String }
    #expect(due == ["submission:c"])
  }

  @Test(
    "- is no place to write to",
    .containerTools,
    arguments: [
      ["export", "--store", "s", "--to", "-"], ["migrate", "one.rasdx", "--to", "-"],
      ["migrate", "one.rasdx", "--to", "x", "--receipt=-"], ["keys", "identity", "--to", "-"],
      ["salvage", "one.rasdx", "--to", "-"], ["salvage", "one.rasdx", "--into", "-"],
      ["consolidate", "--store", "-", "one.rasdx"],
    ]
  )
  func dash(_ words: [String]) throws {
    let cases = try CaseFolder(Self.program)
    let before = try FileManager.default.contentsOfDirectory(atPath: cases.path(""))
    let said = try Product.run(words, directory: cases.path(""))
    #expect(said.status == 2 && said.errorText.contains("standard output"), "\(said.errorText)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: cases.path("")) == before)
  }

  @Test("a source that salvage brought is called what the evidence is called", .containerTools)
  func salvagedLabel() throws {
    let cases = try CaseFolder(Self.program)
    let bytes = try File.read(cases.path("one.rasdx"))
    let evidence = cases.path("cut\u{202e}\u{1b}[1m.rasdx")
    try Data(bytes.dropLast(bytes.count / 4)).write(to: URL(filePath: evidence))
    _ = try Product.run(
      ["salvage", "--key-file", cases.path("raw.key"), "--into", cases.store.path]
        + ["--store-key-file", cases.store.keyFile, evidence]
    )
    let listed = try cases.store.run("sources", ["list", "--json"])
    #expect(listed.output.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    let json = try JSONValue.parse(Array(listed.output.dropLast()))
    #expect(json["sources"]?.array?.compactMap { $0["label"]?.string } == [evidence])
  }

  @Test(
    "one slot is warned of when it is the last, not while another comes or stays",
    .containerTools
  )
  func slots() throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx"])
    let other = cases.path("other.key")
    try Data(String(repeating: "5a", count: 32).utf8).write(to: URL(filePath: other))
    func warns(_ words: [String]) throws -> Bool {
      try cases.store.run("keys", words).errorText.contains("single-slot")
    }
    #expect(try !warns(["add", "--to-key-file", other]))
    #expect(try !warns(["add", "--to-key-file", other]))
    #expect(try !warns(["remove", "3"]))
    #expect(try warns(["remove", "2"]))
    #expect(try cases.store.run("digest", []).errorText.contains("single-slot"))
  }

  @Test("a key that can't be used is told once, however many exports need one", .containerTools)
  func badKey() throws {
    let cases = try CaseFolder(
      "for i in range(5): export(f'e{i}', [sub(f's{i}')])\n(FOLDER / 'bad.key').write_text('not hex')"
    )
    let names = (0..<5).map { cases.path("e\($0).rasdx") }
    for command in [["verify"], ["consolidate"] + cases.store.options] {
      let said = try Product.run(command + ["--key-file", cases.path("bad.key")] + names)
      #expect(said.status == 12)
      let lines = said.errorText.split(separator: "\n")
      #expect(lines.filter { $0.contains("key-file-invalid") }.count == 1, "\(said.errorText)")
      #expect(lines.filter { $0.contains("KEY_UNAVAILABLE no-key-given]") }.count == 1)
      #expect(lines.contains { $0.contains("and 4 more [no-key-given]") })
    }
  }

  @Test("what is wrong with the store's only key is all that is said", .containerTools)
  func badStoreKey() throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx"])
    try Data("not hex".utf8).write(to: URL(filePath: cases.path("bad.key")))
    for command in [["check"], ["consolidate", cases.path("two.rasdx")], ["keys", "remove", "1"]] {
      let said = try Product.run(
        command + ["--store", cases.store.path, "--store-key-file", cases.path("bad.key")]
      )
      #expect(said.status == 12)
      #expect(said.errorText.split(separator: "\n").count == 1, "\(said.errorText)")
      #expect(said.errorText.contains("key-file-invalid]"))
    }
  }

  @Test("what takes less than a second shows no progress in a log", .containerTools)
  func quietLog() throws {
    let cases = try CaseFolder(Self.program)
    let key = ["--key-file", cases.path("raw.key")]
    let said = try Product.run(["verify"] + key + [cases.path("one.rasdx")])
    #expect(said.errorText == "")
  }

  @Test("few open files are more where the system allows it, and said where not", .containerTools)
  func openFiles() throws {
    let cases = try CaseFolder(
      "for i in range(9): export(f'e{i}', [sub(f's{i}')])"
    )
    let words = ["consolidate", "--quiet", "--key-file", cases.path("raw.key"), cases.path("")]
    for (limit, status) in [("-Sn 16", 0), ("-n 8", 1)] as [(String, Int32)] {
      let said = try ChildProcess.run(
        "/bin/sh",
        ["-c", "ulimit \(limit); exec \"$0\" \"$@\"", Product.rasdkit] + words + cases.store.options
      )
      #expect((said.status == 0) == (status == 0), "\(said.errorText)")
      if status != 0 { #expect(said.errorText.contains("too-many-files]"), "\(said.errorText)") }
    }
  }

  @Test("a time of export that is none is a finding", .containerTools)
  func exportedAt() throws {
    let cases = try CaseFolder("export('one', [sub('a')], at='last Tuesday')")
    let events = try cases.consolidate(["one.rasdx"])
    #expect(events.findings.contains("time-unreadable"))
    let verified = try Product.run(
      ["verify", "--strict", "--key-file", cases.path("raw.key"), cases.path("one.rasdx")]
    )
    #expect(verified.status == 1 && verified.errorText.contains("exportedAt"))
  }
}
