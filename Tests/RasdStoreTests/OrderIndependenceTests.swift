import RasdCrypto
import RasdMerge
import RasdModel
import TestSupport
import Testing

@testable import RasdStore

/// The same exports in any order and grouping give the same store.
@Suite struct OrderIndependenceTests {
  /// A fleet that disagrees about everything: few ids, few values, every status.
  static func fleet(_ generator: inout SeededGenerator) -> [TestExport] {
    let photo = Array("photo".utf8)
    let hash = SHA256.digest(photo.span).hex
    return (0..<6).map { number in
      var export = TestExport("wfp-jo.u_\(number % 3)")
      export.exportedAt = "2026-09-0\(number + 1)T00:00:00Z"
      export.sequence = Int64.random(in: 1...3, using: &generator)
      for _ in 0..<12 {
        let id = TestRow.id(Int.random(in: 0..<6, using: &generator))
        let status = SubmissionStatus.allCases.randomElement(using: &generator) ?? .draft
        let listed =
          Bool.random(using: &generator)
          ? #","attachments":[{"id":"a1","bytes":5,"sha256":"\#(hash)"}]"# : ""
        var spelled = TestRow.submission(
          id,
          rev: Int.random(in: 0...2, using: &generator),
          status: status.rawValue,
          answer: Bool.random(using: &generator) ? "yes" : "no",
          updatedAt: "2026-09-01T0\(Int.random(in: 0...3, using: &generator)):00:00Z",
          extra: listed
        )
        if Bool.random(using: &generator) {
          // The same row in another spelling.
          spelled.1 = spelled.1.replacing(#","status":"#, with: #", "status" : "#)
        }
        export.rows.append(spelled)
      }
      for _ in 0..<3 {
        export.rows.append(
          TestRow.attachment(
            "a\(Int.random(in: 0...2, using: &generator))",
            of: TestRow.id(Int.random(in: 0..<6, using: &generator)),
            sha256: Bool.random(using: &generator) ? hash : String(repeating: "0", count: 64),
            bytes: 5,
            status: AttachmentStatus.allCases.randomElement(using: &generator)?.rawValue ?? ""
          )
        )
      }
      export.rows.append(
        TestRow.dataset(
          "villages",
          "v1",
          label: "\(Int.random(in: 0...2, using: &generator))",
          deleted: Bool.random(using: &generator)
        )
      )
      export.rows.append(TestRow.kv("rasd:device", "\(number)"))
      export.rows.append(("x_tracks", #"{"id":\#(number % 2),"lat":31.95}"#))
      if number % 2 == 0 { export.blobs.append((id: "a1", bytes: photo)) }
      return export
    }
  }

  private func store(
    _ fixture: StoreFixture,
    _ name: String,
    _ exports: [TestExport],
    batch: Int = 200
  ) throws -> Store {
    let store = try fixture.create(name)
    for export in exports { try export.take(into: store, batch: batch) }
    return store
  }

  @Test func threeOrdersGiveOneDigestAndOneReading() throws {
    var generator = SeededGenerator()
    for round in 0..<Soak.rounds(short: 4, long: 60) {
      let exports = Self.fleet(&generator)
      let fixture = try StoreFixture()
      var readings: Set<String> = []
      for order in 0..<3 {
        let store = try store(
          fixture,
          "\(round)-\(order)",
          exports.shuffled(using: &generator),
          batch: Int.random(in: 1...9, using: &generator)
        )
        readings.insert(try store.digest().hex + "\n" + reading(store))
        // Once more changes nothing.
        let digest = try store.digest()
        for var export in exports {
          export.exportedAt = "2026-09-20T00:00:00Z"
          let tally = try export.take(into: store)
          #expect(tally.values.allSatisfy { $0.imported == 0 && $0[.conflict] == 0 })
        }
        #expect(try store.digest() == digest)
        var faults: [StoreFault] = []
        _ = try store.check { faults.append($0) }
        #expect(faults.isEmpty)
      }
      #expect(readings.count == 1)
    }
  }

  @Test func twoHalfStoresMergeToTheWhole() throws {
    var generator = SeededGenerator()
    for placement in [RowPlacement.inItsTable, .inTheLine] {
      let exports = Self.fleet(&generator)
      let fixture = try StoreFixture()
      let name = "\(placement)"
      let whole = try store(fixture, name + "whole", exports)
      let left = try store(fixture, name + "left", Array(exports[..<3]))
      let right = try store(fixture, name + "right", Array(exports[2...]))
      let merged = try fixture.create(name + "merged")
      for half in [right, left] {
        try StoreExport(of: half, placement).take(into: merged, observationsFirst: half === left)
      }
      #expect(try merged.digest() == whole.digest())
      #expect(try reading(merged) == reading(whole))
      let again = try fixture.create(name + "again")
      try StoreExport(of: merged, placement).take(into: again, observationsFirst: true)
      #expect(try again.digest() == whole.digest())
    }
  }

  @Test func aLosingObservationChangesTheDigest() throws {
    let fixture = try StoreFixture()
    let store = try fixture.create()
    try TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1), rev: 5)]).take(into: store)
    let before = try (store.digest(), reading(store))
    try TestExport("wfp-jo.u_1", [TestRow.submission(TestRow.id(1), rev: 2, answer: "b")])
      .take(into: store)
    #expect(try store.digest() != before.0)
    #expect(try visible(store) == before.1.split(separator: "--").first.map(String.init))
  }

  /// What a reader sees.
  private func visible(_ store: Store) throws -> String {
    var lines: [String] = []
    for table in try store.tables() {
      try store.forEachRow(of: table) { row in
        lines.append("\(table) \(row.key) \(String(decoding: row.text, as: UTF8.self))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What a reader sees, and what stands behind it.
  private func reading(_ store: Store) throws -> String {
    var lines: [String] = []
    try store.forEachVersionLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    try store.forEachConflict { conflict in
      lines.append(
        "conflict \(conflict.key) \(conflict.others.map(\.differs).sorted { "\($0)" < "\($1)" })"
      )
    }
    return try visible(store) + "--\n" + lines.joined(separator: "\n")
  }
}

/// A store's own export, as lines and rows.
struct StoreExport {
  private var lines: [[UInt8]] = []
  private var rows: [(TableName, [UInt8])] = []
  private var blobs: [(SealedBlob, [UInt8])] = []
  private let description: SourceDescription

  var lineCount: Int { lines.count }

  init(of store: Store, _ placement: RowPlacement) throws {
    description = try require(try store.asSource())
    try store.forEachObservationLine(placement) { lines.append($0) }
    for table in try store.tables() {
      try store.forEachRow(of: table) { rows.append((table, $0.text)) }
    }
    var held: [HeldBlob] = []
    try store.forEachHeldBlob { held.append($0) }
    for blob in held {
      guard var reader = try store.vault.reader(blob.sha256) else { throw Missing() }
      var bytes: [UInt8] = []
      while let part = try reader.next() { bytes += part }
      blobs.append((SealedBlob(sha256: blob.sha256, bytes: blob.bytes), bytes))
    }
  }

  func take(into store: Store, observationsFirst: Bool) throws {
    let tables = TableName.rasd
    let session = try store.begin(
      description,
      tables: observationsFirst
        ? [ObservationLine.table] + tables : tables + [ObservationLine.table]
    )
    var reader = RowReader(sha256: SHA256.digest)
    func takeLines() throws {
      for (i, line) in lines.enumerated() {
        _ = try session.add(try ObservationLine.read(line.span, with: &reader), number: i + 1)
      }
    }
    if observationsFirst { try takeLines() }
    for (table, text) in rows {
      let row = try reader.read(
        line: text.span,
        table: table,
        namespace: description.namespace
      )
      #expect(try session.add(PreparedRow(row))?.outcome != .rejected)
    }
    try session.commit(at: SourceCursor(entry: 1))
    if !observationsFirst { try takeLines() }
    for (blob, bytes) in blobs {
      var writer = try store.vault.writer()
      try writer.write(bytes.span)
      let sealed = try writer.finish()
      #expect(sealed == blob)
      try session.hold(sealed, id: "sha256:\(blob.sha256)", mime: nil)
    }
    try session.finish()
    #expect(session.tally.values.allSatisfy { $0[.rejected] == 0 })
  }
}
