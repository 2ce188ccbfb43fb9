import Foundation
import TestSupport
import Testing

/// Cases from the field about one row that comes more than once: what went in, what must be seen.
///
/// A test a row of the table, named as the row; the others are the suites `Case…Tests`.
@Suite struct CaseTests {
  @Test(
    "the same export again, or a later export of the same device with all the old rows",
    .containerTools
  )
  func sameAgain() throws {
    let cases = try CaseFolder(
      """
      rows = [sub(f"s{i}") for i in range(5)]
      export("monday", rows)
      export("friday", rows + [sub("s9")], seq=2, at="2026-09-05T06:00:00Z")
      """
    )
    #expect(try cases.consolidate(["monday.rasdx"]).totals == [6, 0, 0, 0])
    let digest = try cases.store.digest()
    #expect(try cases.consolidate(["monday.rasdx"]).totals == [0, 6, 0, 0])
    #expect(try cases.store.digest() == digest)
    #expect(try cases.consolidate(["friday.rasdx"]).totals == [1, 6, 0, 0])
    #expect(try cases.rows("submissions").count == 6)
  }

  @Test("revisions of one id arriving 3, 1, 2", .containerTools)
  func revisionsInAnyOrder() throws {
    let program = """
      for rev in (1, 2, 3):
          export(f"rev{rev}", [sub("s", rev=rev, data={"n": rev})], seq=rev)
      """
    let mixed = try CaseFolder(program)
    for name in ["rev3.rasdx", "rev1.rasdx", "rev2.rasdx"] { try mixed.consolidate([name]) }
    let straight = try CaseFolder(program)
    for name in ["rev1.rasdx", "rev2.rasdx", "rev3.rasdx"] { try straight.consolidate([name]) }
    #expect(try mixed.store.digest() == straight.store.digest())
    #expect(try mixed.rows("submissions").map { $0["clientRev"] as? Int } == [3])
  }

  @Test("two ids with the same content", .containerTools)
  func sameContent() throws {
    let cases = try CaseFolder(
      """
      a, b = sub("a", data={"n": 1}), sub("b", data={"n": 1})
      export("one", [a, b])
      """
    )
    let events = try cases.consolidate(["one.rasdx"])
    #expect(try cases.rows("submissions").count == 2)
    #expect(events.totals == [3, 0, 0, 0])
    #expect(events.findings == ["duplicate-content"])
    #expect(events.of("finding").map { $0["severity"] as? String } == ["notice"])
    #expect(
      (events.last("finding")?["subject"] as? [String: Any])?["keys"] as? [String] == ["a", "b"]
    )
  }

  @Test("a draft exported on Monday and again, edited, on Friday", .containerTools)
  func draftEdited() throws {
    let cases = try CaseFolder(
      """
      export("monday", [sub("s", "draft", 0, {"n": "monday"})])
      export("friday", [sub("s", "draft", 0, {"n": "friday"}, updatedAt="2026-09-05T06:00:00Z")], seq=2)
      """
    )
    let events = try cases.consolidate(["friday.rasdx", "monday.rasdx"])
    let data = try cases.rows("submissions").map { $0["data"] as? [String: String] }
    #expect(data == [["n": "friday"]])
    #expect(
      try cases.rows("submission_versions").map { $0["conflict"] as? Bool } == [false, false]
    )
    #expect(events.totals[2] == 0)
  }

  @Test(
    "a finalized row re-opened as a draft with its old checksum still in place",
    .containerTools
  )
  func staleChecksum() throws {
    let cases = try CaseFolder(
      """
      export("one", [sub("s", "draft", 1, {"n": 2}, checksum=sub("s")["checksum"])])
      """
    )
    let events = try cases.consolidate(["one.rasdx"])
    #expect(events.findings == ["stale-checksum"])
    #expect(events.totals == [2, 0, 0, 0])
    #expect(events.of("finding").map { $0["severity"] as? String } == ["notice"])
  }

  @Test("the same rows resealed under a new export id, other parts, another key", .containerTools)
  func resealed() throws {
    let cases = try CaseFolder(
      """
      rows = [sub(f"s{i}", data={"essay": "x" * 500, "i": i}) for i in range(40)]
      export("one", rows)
      other = bytes(range(32, 64))
      (FOLDER / "other.key").write_text(other.hex()); os.chmod(FOLDER / "other.key", 0o600)
      export("two", rows, row_part=900, deflate=False, zip_style="descriptor", slots=[("key", other)])
      """
    )
    try cases.consolidate(["one.rasdx"])
    let digest = try cases.store.digest()
    let events = try cases.consolidate(["two.rasdx"], ["--key-file", cases.path("other.key")])
    #expect(events.totals == [0, 41, 0, 0])
    let tables = events.last("source.done")?["tables"] as? [String: [String: Int]]
    #expect(tables?["submissions"]?["unchanged"] == 40)
    #expect(try cases.store.digest() == digest)
  }

  @Test(
    "a sealed export from a stranger with clientRev 9007199254740991 under a colleague's namespace",
    .containerTools
  )
  func hugeRevision() throws {
    let cases = try CaseFolder(
      """
      export("good", [sub("s", rev=1)], namespace="wfp-jo.u_1")
      export("bad", [sub("s", rev=9007199254740991, data={"n": "forged"})], namespace="wfp-jo.u_2")
      """
    )
    try cases.consolidate(["good.rasdx"])
    let digest = try cases.store.digest()
    let events = try cases.consolidate(["bad.rasdx"])
    #expect(events.findings.contains("cross-namespace"))
    let listed = try cases.store.run("sources", ["list", "--json"]).outputText
    let list = try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [String: Any]
    let sources = list?["sources"] as? [[String: Any]]
    let bad = try #require(
      sources?.first { $0["namespace"] as? String == "wfp-jo.u_2" }?["id"] as? String
    )
    try cases.store.run("sources", ["exclude", bad])
    #expect(try cases.store.digest() == digest)
    #expect(try cases.rows("submissions").map { $0["clientRev"] as? Int } == [1])
  }

  @Test(
    "one device id on two devices (a cloned backup), same ids and revs, other content",
    .containerTools
  )
  func clonedBackup() throws {
    let cases = try CaseFolder(
      """
      export("left", [sub("s", data={"n": 1}), sub("t")])
      export("right", [sub("s", data={"n": 2}), sub("t")], seq=1, at="2026-09-03T06:00:00Z")
      """
    )
    let events = try cases.consolidate(["left.rasdx", "right.rasdx"])
    #expect(events.findings.filter { $0 == "device-fork" }.count == 1)
    #expect(
      try cases.rows("submission_versions").filter { $0["conflict"] as? Bool == true }.count == 2
    )
    #expect(events.totals[2] == 1)
  }

  @Test(
    "an export whose revs or counter went backwards (a restored phone)",
    .containerTools,
    arguments: [
      (#"[sub("s", rev=1)], seq=9"#, [3]), (#"[sub("s", rev=3)], seq=2"#, [3]),
      (#"[sub("s", rev=1)], seq=2"#, [3]),
    ]
  )
  func restoredPhone(_ later: String, _ seen: [Int]) throws {
    let cases = try CaseFolder(
      """
      export("before", [sub("s", rev=3)], seq=7)
      export("after", \(later), at="2026-09-09T06:00:00Z")
      """
    )
    let events = try cases.consolidate(["before.rasdx", "after.rasdx"])
    #expect(events.findings.contains("rev-regression"))
    #expect(
      events.of("finding").filter { $0["reason"] as? String == "rev-regression" }
        .allSatisfy { $0["severity"] as? String == "warning" }
    )
    #expect(try cases.rows("submissions").map { $0["clientRev"] as? Int } == seen)
  }
}
