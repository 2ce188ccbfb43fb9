import RasdModel
import RasdReport
import TestSupport
import Testing

@Suite struct ReportWriterTests {
  private let schema: JSONSchema
  private let folder: TemporaryDirectory

  init() throws {
    schema = try JSONSchema(file: "Docs/report.schema.json")
    folder = try TemporaryDirectory()
  }

  @Test func everyEventFitsTheSchema() throws {
    let lines = try write(Self.events, clock: .real)
    #expect(lines.count == Self.events.count)
    for (index, line) in lines.enumerated() {
      #expect(schema.violations(of: line) == [])
      #expect(line["seq"]?.int == Int64(index + 1))
    }
    #expect(Set(lines.compactMap { $0["run"]?.string }).count == 1)
  }

  @Test func theSchemaRefusesWhatItDoesNotName() throws {
    let line = try #require(try write([Self.finished], clock: .real).first)
    let more = JSONValue.object((line.members ?? []) + [.init("comment", "hello")])
    #expect(schema.violations(of: line) == [])
    #expect(schema.violations(of: more).contains { $0.hasPrefix("/comment") })
    let less = JSONValue.object((line.members ?? []).filter { $0.name != "imported" })
    #expect(schema.violations(of: less).contains { $0.hasPrefix("/imported") })
  }

  @Test func totalsAddUp() throws {
    let line = try #require(try write([Self.finished], clock: .real).first)
    let parts = ["imported", "skipped", "conflicts", "rejected"].compactMap { line[$0]?.int }
    #expect(parts == [3, 5, 1, 2])
    #expect(line["rows"]?.int == parts.reduce(0, +))
  }

  @Test func reproducibleReportsAreEqual() throws {
    _ = try write(Self.events, clock: .reproducible, to: "a.jsonl")
    _ = try write(Self.events, clock: .reproducible, to: "b.jsonl")
    #expect(try folder.read("a.jsonl") == folder.read("b.jsonl"))
  }

  @Test func aSecondRunIsAppended() throws {
    _ = try write(Self.events, clock: .real)
    let lines = try write([Self.finished], clock: .real)
    #expect(lines.count == Self.events.count + 1)
    #expect(lines.last?["seq"]?.int == 1)
    #expect(lines.last?["run"] != lines.first?["run"])
  }

  @Test func aReportWhoseLastLineWasCutGoesOnOnANewLine() throws {
    _ = try folder.write("{\"event\":\"run.sta", to: "report.jsonl")
    let writer = try ReportWriter(path: folder.file("report.jsonl"), clock: .real)
    try writer.write(Self.finished)
    try writer.flush()
    let lines = try folder.read("report.jsonl").split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 2)
    #expect(schema.violations(of: try JSONValue.parse(Array(lines[1]))) == [])
  }

  @Test func anotherKindOfFileIsNeverTouched() throws {
    let path = try folder.write("precious", to: "notes.txt")
    #expect(throws: RasdError(.unavailable, .reportNotOurs)) {
      _ = try ReportWriter(path: path, clock: .real)
    }
    #expect(try folder.read("notes.txt") == Array("precious".utf8))
  }

  @Test func keysOfDatasetsAndKvAreHidden() {
    let shade = KeyShade.hashed { _ in "0123" }
    #expect(shade.json(RowKey(dataset: "villages", key: "v1")) == ["villages", "hmac:0123"])
    #expect(shade.json(RowKey(.kv, ["wfp-jo.u_1", "secret"])) == ["wfp-jo.u_1", "hmac:0123"])
    #expect(shade.json(RowKey(submission: "a")) == "a")
    #expect(KeyShade.values.json(RowKey(dataset: "v", key: "k")) == ["v", "k"])
  }

  private func write(
    _ events: [any ReportEvent],
    clock: ReportClock,
    to name: String = "report.jsonl"
  ) throws -> [JSONValue] {
    let writer = try ReportWriter(path: folder.file(name), clock: clock)
    for event in events { try writer.write(event) }
    try writer.flush()
    return try folder.read(name).split(separator: UInt8(ascii: "\n")).map {
      try JSONValue.parse(Array($0))
    }
  }
}

extension ReportWriterTests {
  private static let hash = SHA256Digest(words: (1, 2, 3, 4))
  private static let identity = SourceIdentity(
    exportId: "0199a7c2-0000-7000-8000-000000000000",
    manifest: hash,
    namespace: "wfp-jo.u_1"
  )

  private static var tally: TableTally {
    var tally = TableTally()
    tally[.submissions][.inserted] = 2
    tally[.submissions][.updated] = 1
    tally[.submissions][.conflict] = 1
    tally[.forms][.unchanged] = 4
    tally[.outbox][.kept] = 1
    tally[.host("x_tracks")][.rejected] = 2
    return tally
  }

  static var finished: RunFinished {
    var sources = SourceCount()
    sources.taken = 2
    var findings = FindingCount()
    findings.add(.warning, .deviceFork)
    return RunFinished(
      totals: tally,
      bytes: 12,
      sources: sources,
      findings: findings,
      storeDigest: hash,
      exit: 1,
      seconds: 1.25
    )
  }

  static var events: [any ReportEvent] {
    let error = RasdError(.corrupt, .entryDamaged, ["entry": "submissions.jsonl", "offset": 7])
    var policy = Members()
    policy.add("mode", "merge")
    let versions = ["rasdkit", "sqlcipher", "sqlite", "openssl", "libzip", "libarchive"]
    return [
      RunStarted(
        command: "consolidate",
        versions: versions.map { ($0, "1") },
        policy: policy,
        recipe: hash
      ),
      SourceOpened(
        path: "a.rasdx",
        bytes: 10,
        kind: .export,
        identity: identity,
        exportedAt: "2026-09-03T14:05:11.000Z",
        suite: "none",
        slot: "key",
        kid: "k1"
      ),
      SourceVerified(
        path: "a.rasdx",
        rows: [(.submissions, 3)],
        blobs: 1,
        blobBytes: 5,
        proved: ["structure", "seals", "order", "counts", "hashes", "rows", "blobs"]
      ),
      SourceRefused(path: "b.rasdx", error: error, help: ["rasdkit", "salvage", "b.rasdx"]),
      SourceDone(path: "a.rasdx", tables: tally, known: false, seconds: 0.5),
      RowEvent(
        table: "submissions",
        key: "s1",
        outcome: .conflict,
        hash: hash,
        differs: ["/data/age"],
        provenance: Provenance(identity: identity, entry: "submissions.jsonl", line: 3)
      ),
      RowEvent(table: "datasets", key: ["villages", "hmac:01"], grade: .verified),
      BlobEvent(
        id: "p1",
        sha256: hash,
        bytes: 5,
        outcome: .quarantined,
        error: RasdError(.integrity, .blobHashMismatch)
      ),
      PageEvent(number: 3, offset: 8192, kind: "leaf", verdict: "hmac-failed"),
      FindingEvent(.warning, .deviceFork, subject: ["path": "a.rasdx"]),
      finished,
    ]
  }
}
