import Foundation
import TestSupport
import Testing

/// Cases from the field that speak of rows: what went in, what must be seen.
@Suite struct CaseTests {
  @Test("the same export again, and a later one with all the old rows", .containerTools)
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
    #expect(try cases.consolidate(["monday.rasdx"]).totals[0] == 0)
    #expect(try cases.store.digest() == digest)
    #expect(try cases.consolidate(["friday.rasdx"]).totals == [1, 6, 0, 0])
    #expect(try cases.rows("submissions").count == 6)
  }

  @Test("revisions arriving 3, 1, 2", .containerTools)
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

  @Test("two ids with the same content are both kept", .containerTools)
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
  }

  @Test("a draft exported on Monday and, edited, on Friday", .containerTools)
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

  @Test("a finalized row re-opened as a draft with its old checksum", .containerTools)
  func staleChecksum() throws {
    let cases = try CaseFolder(
      """
      export("one", [sub("s", "draft", 1, {"n": 2}, checksum=sub("s")["checksum"])])
      """
    )
    let events = try cases.consolidate(["one.rasdx"])
    #expect(events.findings == ["stale-checksum"])
    #expect(events.of("finding").map { $0["severity"] as? String } == ["notice"])
  }

  @Test("rows resealed under a new export id, in other parts", .containerTools)
  func resealed() throws {
    let cases = try CaseFolder(
      """
      rows = [sub(f"s{i}", data={"essay": "x" * 500, "i": i}) for i in range(40)]
      export("one", rows)
      export("two", rows, row_part=900, deflate=False, zip_style="descriptor")
      """
    )
    try cases.consolidate(["one.rasdx"])
    let digest = try cases.store.digest()
    #expect(try cases.consolidate(["two.rasdx"]).totals == [0, 41, 0, 0])
    #expect(try cases.store.digest() == digest)
  }

  @Test(
    "a stranger's export with a huge revision is warned of and can be taken out",
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

  @Test("one device id on two devices", .containerTools)
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

  @Test("revisions that went backwards", .containerTools)
  func restoredPhone() throws {
    let cases = try CaseFolder(
      """
      export("before", [sub("s", rev=3)], seq=7)
      export("after", [sub("s", rev=1)], seq=2, at="2026-09-09T06:00:00Z")
      """
    )
    let events = try cases.consolidate(["before.rasdx", "after.rasdx"])
    #expect(events.findings.contains("rev-regression"))
    #expect(try cases.rows("submissions").map { $0["clientRev"] as? Int } == [3])
  }

  @Test("photos: none, many, missing, empty, twice, one name", .containerTools)
  func photos() throws {
    let cases = try CaseFolder(
      """
      rows, atts, blobs = [sub("none")], [], {}
      for count in (1, 2, 40):
          items = []
          for i in range(count):
              data = f"photo {count} {i}".encode()
              row, item = photo(f"p{count}-{i}", f"s{count}", data)
              atts.append(row); items.append(item | {"name": "same.jpg"}); blobs[row["id"]] = data
          rows.append(sub(f"s{count}", attachments=items))
      lost, item = photo("lost", "s-lost", b"gone"); atts.append(lost); rows.append(sub("s-lost", attachments=[item]))
      hollow, item = photo("hollow", "s-hollow", b"full"); atts.append(hollow); blobs["hollow"] = b""
      rows.append(sub("s-hollow", attachments=[item]))
      twin, item = photo("twin", "s-twin", b"photo 1 0"); atts.append(twin); blobs["twin"] = b"photo 1 0"
      rows.append(sub("s-twin", attachments=[item]))
      export("one", rows, atts=atts, blobs=blobs)
      export("healed", rows, atts=atts, blobs={"lost": b"gone", "hollow": b"full"}, seq=2, at="2026-09-03T06:00:00Z")
      """
    )
    let first = try cases.consolidate(["one.rasdx"], status: 1)
    #expect(try cases.rows("submissions").count == 7)
    #expect(first.findings.filter { $0 == "bytes-missing" }.count == 2)
    #expect(first.of("blob").filter { $0["reason"] as? String == "blob-hash-mismatch" }.count == 1)
    // The hollow copy of one photo stays quarantined; its row has its bytes now.
    let second = try cases.consolidate(["healed.rasdx"])
    #expect(!second.findings.contains("bytes-missing"))
  }

  @Test("one bad row among many", .containerTools)
  func oneBadRow() throws {
    let cases = try CaseFolder(
      """
      rows = [sub(f"s{i}") for i in range(300)]
      rows[217]["data"]["age"] = 31
      export("one", rows)
      """
    )
    let events = try cases.consolidate(["one.rasdx"], status: 1)
    #expect(events.totals == [300, 0, 0, 1])
    let rejected = events.of("row").filter { $0["outcome"] as? String == "rejected" }
    #expect(rejected.map { $0["reason"] as? String } == ["row-checksum-mismatch"])
    #expect(rejected.map { ($0["provenance"] as? [String: Any])?["line"] as? Int } == [218])
    #expect(try cases.rows("submissions").count == 299)
  }

  @Test("bad exports among many: the numbers add up", .containerTools)
  func someBadExports() throws {
    let cases = try CaseFolder(
      """
      for i in range(24):
          export(f"good{i:02}", [sub(f"s{i}")], namespace=f"wfp-jo.u_{i}")
      whole = (FOLDER / "good00.rasdx").read_bytes()
      (FOLDER / "bad0.rasdx").write_bytes(b"")
      (FOLDER / "bad1.rasdx").write_bytes(b"PK" + bytes(43))
      (FOLDER / "bad2.rasdx").write_bytes(whole[: len(whole) // 2])
      (FOLDER / "bad3.rasdx").write_bytes(b"garbage" + whole)
      (FOLDER / "bad4.rasdx").write_bytes(whole + b"garbage")
      (FOLDER / "bad5.rasdx").write_bytes(b"PK\\x05\\x06" + bytes(18))
      flipped = bytearray(whole); flipped[len(whole) // 2] ^= 1
      (FOLDER / "bad6.rasdx").write_bytes(bytes(flipped))
      export("bad7", [sub("z")], slots=[("key", bytes(32))])
      export("bad8", [sub("z")], namespace="other-org.u_1")
      """
    )
    let events = try cases.consolidate([""], ["--org", "wfp-jo"], status: 1)
    #expect(events.of("source.done").count == 24)
    #expect(
      events.refusals == [
        "bad0.rasdx": "empty", "bad1.rasdx": "not-an-export", "bad2.rasdx": "truncated",
        "bad3.rasdx": "unsafe-container", "bad4.rasdx": "unsafe-container",
        "bad5.rasdx": "entry-missing", "bad6.rasdx": "entry-damaged", "bad7.rasdx": "wrong-key",
        "bad8.rasdx": "foreign-namespace",
      ]
    )
    #expect(events.totals == [25, 23, 0, 0])
  }

  @Test("text is exact, whatever it is", .containerTools)
  func exactText() throws {
    let cases = try CaseFolder(
      #"""
      texts = ["مخيم الزعتري", "🏠👩‍👩‍👧", "\u202etxt.exe", "a\u0000b", "\\u0000", "\u2028\u2029", "e\u0301", "\u00e9"]
      export("one", [sub(f"s{i}", data={"t": t}) for i, t in enumerate(texts)])
      (FOLDER / "lines").write_bytes(b"\n".join(sorted(
          json.dumps(sub(f"s{i}", data={"t": t}), ensure_ascii=False, separators=(",", ":")).encode() for i, t in enumerate(texts))))
      """#
    )
    try cases.consolidate(["one.rasdx"])
    let expected = try File.read(cases.path("lines")).split(separator: 0x0A).map(Array.init)
    #expect(try cases.lines("submissions") == expected)
  }

  @Test("numbers keep their text; one outside a double is refused", .containerTools)
  func exactNumbers() throws {
    let cases = try CaseFolder(
      #"""
      numbers = ["9007199254740993", "12345678901234567890", "1.10", "-0", "0.1", "1e400"]
      lines = []
      for i, n in enumerate(numbers):
          value = 0.0 if n == "1e400" else float(n)
          row = sub(f"s{i}", data={"n": value})
          line = json.dumps(row | {"data": {"n": "@"}}, ensure_ascii=False, separators=(",", ":")).replace('"@"', n)
          lines.append(line.encode() + b"\n")
      export("one", [None] * len(lines), raw={"submissions": lines})
      """#
    )
    let events = try cases.consolidate(["one.rasdx"], status: 1)
    #expect(events.totals == [6, 0, 0, 1])
    let text = try cases.lines("submissions").map { String(decoding: $0, as: UTF8.self) }
    for number in ["9007199254740993", "12345678901234567890", "1.10", "-0", "0.1"] {
      #expect(text.contains { $0.contains("\"data\":{\"n\":\(number)}") }, "\(number)")
    }
  }

  @Test("times are kept as written and compared as instants", .containerTools)
  func times() throws {
    let cases = try CaseFolder(
      """
      export("one", [sub("s", updatedAt="2026-09-01T09:00:00+03:00", data={"n": 1}),
                     sub("far", updatedAt="2031-01-01T00:00:00Z"), sub("odd", updatedAt="2026-09-01 06:00")])
      export("two", [sub("s", updatedAt="2026-09-01T06:30:00Z", data={"n": 2})], namespace="wfp-jo.u_2")
      """
    )
    let events = try cases.consolidate(["one.rasdx", "two.rasdx"])
    #expect(events.findings.contains("clock-ahead"))
    let rows = try cases.rows("submissions")
    #expect(rows.map { $0["updatedAt"] as? String }.contains("2026-09-01T06:30:00Z"))
    #expect(rows.map { $0["updatedAt"] as? String }.contains("2026-09-01 06:00"))
  }

  @Test("broken lines cost themselves alone", .containerTools)
  func brokenLines() throws {
    let cases = try CaseFolder(
      #"""
      good = lambda i: json.dumps(sub(f"s{i}"), separators=(",", ":")).encode()
      deep = b'{"id":"deep","data":' + b"[" * 10000 + b"]" * 10000 + b"}"
      bad = [b"", good(1) + b"\r", b"\xef\xbb\xbf" + good(2), good(3)[:-1] + b',"id":"s3"}', deep,
             good(4).replace(b"House", b"\\ud800"), good(5).replace(b"House", b"\xff"), b"not json", b"[]"]
      lines = [good(10)] + bad + [good(11)]
      export("one", [None] * len(lines), raw={"submissions": [line + b"\n" for line in lines]})
      """#
    )
    let events = try cases.consolidate(["one.rasdx"], status: 1)
    let rejected = events.of("row").filter { $0["outcome"] as? String == "rejected" }
    // A carriage return is white space of JSON: that row is taken, and said to break the format.
    let lines = rejected.compactMap { ($0["provenance"] as? [String: Any])?["line"] as? Int }
    #expect(Set(lines).isSuperset(of: [2, 4, 5, 6, 7, 8, 9, 10]))
    #expect(!lines.contains(1) && !lines.contains(11))
    #expect(events.totals[0] + events.totals[3] == 12)
  }
}
