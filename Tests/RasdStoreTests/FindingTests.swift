import RasdCrypto
import RasdMerge
import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdStore

@Suite struct FindingTests {
  private let fixture: StoreFixture
  private let store: Store

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.create()
  }

  private func findings() throws -> [Finding] {
    var found: [Finding] = []
    try store.forEachFinding { found.append($0) }
    return found
  }

  private func reasons(_ rows: [(String, String)], by namespace: String = "wfp-jo.u_1") throws
    -> [Reason]
  {
    try TestExport(namespace, rows).take(into: store)
    return try findings().map(\.reason)
  }

  private let photo = Array("photo".utf8)
  private var hash: String { SHA256.digest(photo.span).hex }

  private func listing(_ id: String, sha256: String, bytes: Int = 5) -> String {
    #","attachments":[{"id":"\#(id)","bytes":\#(bytes),"sha256":"\#(sha256)"}]"#
  }

  private let form = (
    "forms",
    #"{"id":"household","version":"1.0.0","definitionHash":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","publishedAt":"2026-08-01T00:00:00Z","updatedAt":"2026-08-01T00:00:00Z","definition":{}}"#
  )

  @Test func aWholeSetHasNone() throws {
    let id = TestRow.id(1)
    var export = TestExport(
      "wfp-jo.u_1",
      [
        form, TestRow.submission(id, extra: listing("a1", sha256: hash)),
        TestRow.attachment("a1", of: id, sha256: hash, bytes: 5),
      ]
    )
    export.blobs = [(id: "a1", bytes: photo)]
    try export.take(into: store)
    #expect(try findings().isEmpty)
  }

  @Test func bytesAreMissingOrPurgedAndALaterExportHealsThem() throws {
    let id = TestRow.id(1)
    let rows = [
      form, TestRow.submission(id),
      TestRow.attachment("a1", of: id, sha256: hash, bytes: 5),
      TestRow.attachment("a2", of: id, sha256: hash, bytes: 5, status: "uploaded"),
    ]
    #expect(try reasons(rows) == [.bytesMissing, .purged])
    #expect(try findings().map(\.severity) == [.error, .notice])
    var later = TestExport("wfp-jo.u_2", [])
    later.blobs = [(id: "a1", bytes: photo)]
    try later.take(into: store)
    #expect(try findings().isEmpty)
  }

  @Test func listsAndRowsOfAttachmentsDisagree() throws {
    let zeros = String(repeating: "0", count: 64)
    #expect(
      try Set(
        reasons([
          form, TestRow.submission(TestRow.id(1), answer: "1", extra: listing("a1", sha256: hash)),
          TestRow.submission(TestRow.id(2), answer: "2", extra: listing("a2", sha256: zeros)),
          TestRow.attachment("a2", of: TestRow.id(2), sha256: hash, bytes: 5, status: "uploaded"),
          TestRow.submission(
            TestRow.id(3),
            answer: "3",
            extra: listing("a3", sha256: hash, bytes: 6)
          ),
          TestRow.attachment("a3", of: TestRow.id(3), sha256: hash, bytes: 5, status: "uploaded"),
          TestRow.attachment("a4", of: TestRow.id(9), sha256: hash, bytes: 5, status: "uploaded"),
        ])
      ) == [.attachmentAbsent, .attachmentDiffers, .submissionAbsent, .purged]
    )
    let differing = try findings().filter { $0.reason == .attachmentDiffers }
    #expect(differing.map { $0.keys[1].parts } == [["a2"], ["a3"]])
  }

  @Test func hostAssetsAreNoOrphans() throws {
    let row = (
      "attachments",
      #"{"id":"basemap:amman#0","submissionId":"$asset","status":"uploaded","bytes":5,"sha256":"\#(hash)","updatedAt":"2026-09-01T06:00:00Z"}"#
    )
    try TestExport("wfp-jo.u_1", [row]).take(into: store)
    #expect(try store.tables().isEmpty == false)
    var rows = 0
    try store.forEachRow(of: .attachments) { _ in rows += 1 }
    #expect(rows == 0)
    try TestExport("wfp-jo.u_2", [row]).take(
      into: store,
      policy: IntakePolicy(takesHostAssets: true)
    )
    #expect(try findings().isEmpty)
  }

  @Test func aBlobWithoutARow() throws {
    var export = TestExport("wfp-jo.u_1", [])
    export.blobs = [(id: "a1", bytes: photo)]
    try export.take(into: store)
    #expect(try findings().map(\.blob) == [SHA256.digest(photo.span)])
    #expect(try findings().map(\.reason) == [.blobWithoutRow])
  }

  @Test func aFormThatIsHeldNowhere() throws {
    #expect(try reasons([TestRow.submission(TestRow.id(1))]) == [.formAbsent])
    #expect(try reasons([form]).isEmpty)
  }

  @Test func twoDefinitionsOfOneVersion() throws {
    let other = (
      "forms",
      form.1.replacing(
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        with: "00"
      )
    )
    #expect(
      try Set(reasons([form, other])) == [.definitionHashConflict, .definitionHashMismatch]
    )
    var conflicts: [StoredConflict] = []
    try store.forEachConflict { conflicts.append($0) }
    #expect(conflicts.map { $0.others.map(\.differs) } == [[["/definitionHash"]]])
  }

  @Test func twoIdsOfOneContent() throws {
    #expect(
      try reasons([form, TestRow.submission(TestRow.id(1)), TestRow.submission(TestRow.id(2))])
        == [.duplicateContent]
    )
    #expect(try findings()[0].keys.map(\.parts) == [[TestRow.id(1)], [TestRow.id(2)]])
  }

  @Test func timesChecksumsAndLeases() throws {
    #expect(
      try Set(
        reasons([
          form,
          TestRow.submission(TestRow.id(1), answer: "1", updatedAt: "yesterday"),
          TestRow.submission(TestRow.id(2), answer: "2", extra: #","checksum":"sha256:00""#),
          TestRow.submission(TestRow.id(3), status: "sending", answer: "3"),
          TestRow.submission(TestRow.id(4), answer: "4", updatedAt: "2031-09-01T06:00:00Z"),
        ])
      )
        == [.timeUnreadable, .staleChecksum, .leaseAbandoned, .checksumAbsent, .clockAhead]
    )
    let ahead = try findings().filter { $0.reason == .clockAhead }
    #expect(ahead.map(\.sources) == [[1]])
  }

  @Test func aForkARegressionAndAStranger() throws {
    var first = TestExport(
      "wfp-jo.u_1",
      [form, TestRow.submission(TestRow.id(1), rev: 3, status: "synced")]
    )
    first.sequence = 7
    var second = TestExport(
      "wfp-jo.u_1",
      [
        TestRow.submission(TestRow.id(1), rev: 3, status: "synced", answer: "other"),
        TestRow.submission(TestRow.id(2), rev: 1, answer: "own"),
      ]
    )
    second.exportedAt = "2026-09-10T00:00:00Z"
    second.sequence = 6
    for export in [second, first] { try export.take(into: store) }
    let stranger = TestExport(
      "wfp-jo.u_9",
      [TestRow.submission(TestRow.id(2), rev: 9_007_199_254_740_991, answer: "new")]
    )
    try stranger.take(into: store)
    let found = try findings().filter { $0.reason != .checksumAbsent }
    #expect(Set(found.map(\.reason)) == [.deviceFork, .revRegression, .crossNamespace])
    #expect(found.first { $0.reason == .deviceFork }?.sources == [1, 2])
    #expect(found.first { $0.reason == .revRegression }?.sources == [1, 2])
    // A stranger's export is taken out again.
    try store.retract(3, true)
    #expect(try !findings().map(\.reason).contains(.crossNamespace))
  }

  @Test func aDeadOutboxRowIsReportedAndOneThatFollowsIsNotKept() throws {
    let tally = try TestExport(
      "wfp-jo.u_1",
      [
        (
          "outbox",
          #"{"id":"o1","kind":"record","targetId":"r","status":"dead","lastError":"HTTP 413","createdAt":"2026-09-01T06:00:00Z","payload":{"n":1}}"#
        ),
        (
          "outbox",
          #"{"id":"o2","kind":"submission","targetId":"s","status":"pending","createdAt":"2026-09-01T06:00:00Z","payload":null}"#
        ),
        (
          "outbox",
          #"{"id":"o3","kind":"record","targetId":"r","status":"leased","leasedUntil":"2026-09-01T07:00:00Z","createdAt":"2026-09-01T06:00:00Z","payload":{"n":2}}"#
        ),
      ]
    ).take(into: store)
    #expect(tally[.outbox]?[.inserted] == 2 && tally[.outbox]?[.kept] == 1)
    #expect(try findings().map(\.reason) == [.outboxDead])
    var rows: [String] = []
    try store.forEachRow(of: .outbox) { rows.append(String(decoding: $0.text, as: UTF8.self)) }
    #expect(rows.count == 2)
    #expect(rows[1].contains(#""status":"pending""#) && !rows[1].contains("leasedUntil"))
  }

  @Test func derivedOutboxRowsFollowWhatIsSeen() throws {
    let id = TestRow.id(1)
    var export = TestExport(
      "wfp-jo.u_1",
      [
        TestRow.submission(id, status: "sending"), TestRow.submission(TestRow.id(2)),
        TestRow.attachment("a1", of: id, sha256: hash, bytes: 5, status: "uploading"),
        TestRow.attachment("a2", of: id, sha256: String(repeating: "0", count: 64), bytes: 5),
      ]
    )
    export.blobs = [(id: "a1", bytes: photo)]
    try export.take(into: store)
    var rows: [[String]] = []
    try store.forEachRow(of: .outbox) { rows.append($0.key.parts) }
    #expect(rows == [["attachment:a1"], ["submission:\(id)"]])
    #expect(
      try store.connection.text(
        "SELECT group_concat(id, ' ') FROM (SELECT id FROM outbox ORDER BY id)"
      )
        == "attachment:a1 submission:\(id)"
    )
    #expect(
      try store.connection.text("SELECT status FROM submissions WHERE id = '\(id)'") == "queued"
    )
  }

  @Test func aBlobThatIsNotItsRowIsQuarantined() throws {
    let session = try store.begin(try TestExport("wfp-jo.u_1").description, tables: [])
    let blob = SealedBlob(sha256: SHA256.digest(photo.span), bytes: 5)
    try session.quarantine(blob: blob, id: "a1", reason: .blobHashMismatch)
    try session.finish()
    let found = try findings()
    #expect(found.map(\.reason) == [.blobHashMismatch])
    #expect(found[0].keys.map(\.parts) == [["a1"]] && found[0].sources == [1])
    #expect(try !store.isHeld(blob.sha256))
  }
}
