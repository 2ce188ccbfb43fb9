import Foundation
import TestSupport
import Testing

/// Cases from the field about what stands in a row.
@Suite struct CaseRowTests {
  @Test("one bad row in 200,000", .containerTools)
  func oneBadRow() throws {
    let count = Soak.rounds(short: 3000, long: 200_000)
    let cases = try CaseFolder(
      """
      rows = [sub(f"s{i}") for i in range(\(count))]
      rows[217]["data"]["age"] = 31
      export("one", rows)
      """
    )
    let events = try cases.consolidate(["one.rasdx"], status: 1)
    #expect(events.totals == [count, 0, 0, 1])
    let rejected = events.of("row").filter { $0["outcome"] as? String == "rejected" }
    #expect(rejected.map { $0["reason"] as? String } == ["row-checksum-mismatch"])
    #expect(rejected.map { ($0["provenance"] as? [String: Any])?["line"] as? Int } == [218])
    #expect(try cases.rows("submissions").count == count - 1)
    let words = try cases.words(of: ["verify", "one.rasdx"], status: 1)
    #expect(words.count == 1)
    #expect(words[0].contains("one.rasdx: a row is not what its checksum says"))
    #expect(words[0].contains("line 218"))
    #expect(words[0].hasSuffix("[RASD_STORAGE_INTEGRITY row-checksum-mismatch]"))
  }

  @Test(
    """
    Arabic, emoji, RTL and ZWJ text, NUL in a string, \\u0000 as six characters, U+2028: under \
    LANG=C
    """,
    .containerTools
  )
  func exactText() throws {
    let cases = try CaseFolder(
      #"""
      texts = ["مخيم الزعتري", "🏠👩‍👩‍👧", "\u202etxt.exe", "a\u0000b", "\\u0000", "\u2028\u2029", "e\u0301", "\u00e9"]
      rows = [sub(f"s{i}", data={"t": t}, instanceName=t) for i, t in enumerate(texts)]
      export("one", rows)
      (FOLDER / "lines").write_bytes(b"\n".join(sorted(
          json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() for row in rows)))
      """#
    )
    let plain = ["LANG": "C", "LC_ALL": "C"]
    func run(_ words: [String]) throws {
      let result = try Product.run(words + cases.store.options + ["--quiet"], environment: plain)
      try #require(result.status == 0, "\(result.errorText)")
    }
    let expected = try File.read(cases.path("lines")).split(separator: 0x0A).map(Array.init)
    try run(["consolidate", "--key-file", cases.path("raw.key"), cases.path("one.rasdx")])
    let rows = cases.folder.path + "/rows"
    try run(["export", "--format", "jsonl", "--to", rows])
    #expect(try File.lines(rows + "/submissions.jsonl") == expected)

    let sealed = cases.folder.path + "/sealed.rasdx"
    try run(["export", "--to", sealed, "--to-key-file", cases.path("raw.key")])
    let dump = cases.folder.path + "/dump"
    let dumped = try Python.run(
      "rasdx.py",
      ["dump", sealed, dump, "--key-file", cases.path("raw.key")]
    )
    #expect(dumped.status == 0, "\(dumped.errorText)")
    #expect(
      try File.lines(dump + "/submissions.jsonl").sorted { $0.lexicographicallyPrecedes($1) }
        == expected
    )
  }

  @Test("2^53+1, 20-digit integers, 1.10, 1e400, -0, 0.1", .containerTools)
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
    #expect(events.rejectedLines == [6: "number-out-of-range"])
    let text = try cases.lines("submissions").map { String(decoding: $0, as: UTF8.self) }
    #expect(text.count == 5)
    for number in ["9007199254740993", "12345678901234567890", "1.10", "-0", "0.1"] {
      #expect(text.contains { $0.contains("\"data\":{\"n\":\(number)}") }, "\(number)")
    }
  }

  @Test(
    """
    times without offset, with +03:00, 1970, five years off, in the future, 24:00, in a DST gap
    """,
    .containerTools
  )
  func times() throws {
    let cases = try CaseFolder(
      """
      times = {"plus3": "2026-09-01T09:00:00+03:00", "epoch": "1970-01-01T00:00:00.000Z", "off": "2021-09-01T06:00:00Z",
               "ahead": "2031-09-01T06:00:00Z", "hour": "2026-09-03T05:59:59Z", "day": "2026-09-03T06:00:01Z",
               "bare": "2026-09-01T06:00:00", "24": "2026-09-01T24:00:00Z", "gap": "2026-03-27T00:30:00+02:00",
               "bare-gap": "2026-03-27T00:30:00", "words": "yesterday"}
      export("one", [sub(k, updatedAt=v, data={"k": k}) for k, v in times.items()])
      # Later as an instant, earlier as text; and no instant at all against the earliest there is.
      export("left", [sub("x", updatedAt="2026-09-01T09:00:00+03:00", data={"n": 1}),
                      sub("y", updatedAt="2026-09-01T23:00:00", data={"n": 1})], namespace="wfp-jo.u_2")
      export("right", [sub("x", updatedAt="2026-09-01T06:30:00Z", data={"n": 2}),
                       sub("y", updatedAt="1970-01-01T00:00:00Z", data={"n": 2})], namespace="wfp-jo.u_3")
      (FOLDER / "times.json").write_text(json.dumps(times))
      """
    )
    for zone in ["UTC", "Asia/Amman"] {
      let result = try Product.run(
        ["consolidate", "--quiet", "--report", cases.path("report-\(zone.count)")]
          + cases.store.options + ["--key-file", cases.path("raw.key")]
          + ["one.rasdx", "left.rasdx", "right.rasdx"].map { cases.path($0) },
        environment: ["TZ": zone]
      )
      #expect(result.status == 0, "\(result.errorText)")
    }
    let events = try Events(cases.path("report-3"))
    func keys(_ reason: String) -> Set<String> {
      Set(
        events.of("finding").filter { $0["reason"] as? String == reason }
          .flatMap { ($0["subject"] as? [String: Any])?["keys"] as? [String] ?? [] }
      )
    }
    #expect(keys("time-unreadable") == ["bare", "24", "bare-gap", "words", "y"])
    let ahead = events.of("finding").filter { $0["reason"] as? String == "clock-ahead" }
    #expect(ahead.map { $0["severity"] as? String } == ["notice"])
    #expect(ahead.map { ($0["details"] as? [String: Any])?["rows"] as? Int } == [2])
    let rows = try cases.rows("submissions")
    let seen = Dictionary(
      uniqueKeysWithValues: rows.map { ($0["id"] as? String ?? "", $0["updatedAt"] as? String) }
    )
    let written =
      try JSONSerialization.jsonObject(with: Data(File.read(cases.path("times.json"))))
      as? [String: String]
    for (id, time) in written ?? [:] { #expect(seen[id] == time, "\(id)") }
    #expect(seen["x"] == "2026-09-01T06:30:00Z")
    #expect(seen["y"] == "1970-01-01T00:00:00Z")
  }

  @Test("CRLF line ends, blank lines, no last newline in a JSONL stream", .containerTools)
  func lineEnds() throws {
    let cases = try CaseFolder(
      #"""
      good = lambda i: json.dumps(sub(f"s{i}", data={"i": i}), separators=(",", ":")).encode()
      export("ends", [None] * 5, raw={"submissions": [good(1) + b"\r\n", b"\n", good(2) + b"\n", b"\r\n", good(3) + b"\n"]})
      export("cut", [None] * 2, raw={"submissions": [good(4) + b"\n", good(5)]})
      """#
    )
    let events = try cases.consolidate(["ends.rasdx"], status: 1)
    #expect(events.totals == [4, 0, 0, 2])
    #expect(events.rejectedLines == [2: "blank-line", 4: "blank-line"])
    #expect(events.findings == ["carriage-return"])
    #expect(try cases.rows("submissions").map { $0["id"] as? String } == ["s1", "s2", "s3"])
    // A row that the stream's end cuts off is never passed over: the export is not whole.
    #expect(try cases.consolidate(["cut.rasdx"], status: 1).refusals == ["cut.rasdx": "part-order"])
    #expect(try cases.rows("submissions").count == 3)
  }

  @Test(
    "JSON duplicate member, lone surrogate, depth 10,000, invalid UTF-8, a BOM",
    .containerTools
  )
  func brokenJSON() throws {
    let cases = try CaseFolder(
      #"""
      good = lambda i: json.dumps(sub(f"s{i}"), separators=(",", ":")).encode()
      deep = b'{"id":"deep","data":' + b"[" * 10000 + b"]" * 10000 + b"}"
      lines = [good(1), good(2)[:-1] + b',"id":"s2"}', good(3).replace(b"House", b"\\ud800"), deep, good(4).replace(b"House", b"\xff"),
               b"\xef\xbb\xbf" + good(5), b"not json", b"[]", good(6)[:-1], good(7)]
      export("one", [None] * len(lines), raw={"submissions": [line + b"\n" for line in lines]})
      """#
    )
    let expected = [
      2: "doubled-member", 3: "lone-surrogate", 4: "too-deep", 5: "invalid-utf8",
      6: "byte-order-mark", 7: "not-json", 8: "not-an-object", 9: "not-json",
    ]
    for command in [["verify"], ["consolidate"] + cases.store.options] {
      let words = try cases.words(of: command + ["--report", "report", "one.rasdx"], status: 1)
      #expect(try Events(cases.path("report")).rejectedLines == expected)
      for (line, fault) in expected {
        #expect(
          words.contains { $0.contains(", line \(line), ") && $0.contains("fault \(fault))") },
          "\(words)"
        )
      }
    }
    #expect(try cases.rows("submissions").map { $0["id"] as? String } == ["s1", "s7"])
  }
}

extension Events {
  /// What each rejected row broke, by its line.
  fileprivate var rejectedLines: [Int: String] {
    of("row").filter { $0["outcome"] as? String == "rejected" }.reduce(into: [:]) { found, row in
      let line = (row["provenance"] as? [String: Any])?["line"] as? Int ?? -1
      found[line] = (row["details"] as? [String: Any])?["fault"] as? String
    }
  }
}
