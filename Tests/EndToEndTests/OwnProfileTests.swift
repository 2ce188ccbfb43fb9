import Foundation
import Glibc
import RasdCrypto
import RasdModel
import SQLCipherKit
import TestSupport
import Testing

/// A profile of a person's own, for a schema that the program has never heard of.
@Suite struct OwnProfileTests {
  let folder: TemporaryDirectory
  private let database: [UInt8]
  private static let recording = Array((0..<2_345).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

  private static let pageSize = 4096

  init() throws {
    folder = try TemporaryDirectory()
    database = try Self.database(at: folder.file("made.db"))
  }

  private static func database(at path: String) throws -> [UInt8] {
    let connection = try Connection(plainOutput: path)
    try connection.execute("BEGIN")
    let profile = try JSONValue.parse(Array(BeeProfile.text.utf8))
    for table in profile["tables"]?.array ?? [] {
      try connection.execute(try #require(table["sql"]?.string))
    }
    for index in profile["indexes"]?.array ?? [] {
      try connection.execute(try #require(index.string))
    }
    for hive in 1...20 {
      try connection.execute(
        """
        INSERT INTO hives VALUES (\(hive), 'hive \(hive)', '\(hive % 2 == 0 ? "strong" : "weak")',
          '2026-04-02T08:00:00Z');
        INSERT INTO settings VALUES ('hive.\(hive)', '{"alarm":\(hive)}', '2026-04-02T09:00:00Z')
        """
      )
    }
    for visit in 1...90 {
      let id = UUIDText.version7(
        milliseconds: UInt64(visit) * 1_000,
        random: Array(repeating: UInt8(visit), count: 10)
      )
      try connection.execute(
        """
        INSERT INTO visits VALUES ('\(id)', \(visit % 20 + 1), \(visit).25, 'note \(visit)',
          '2026-05-01T10:\(10 + visit % 50):00Z')
        """
      )
    }
    let digest = SHA256.digest(recording.span).hex
    for number in 1...3 {
      try connection.execute(
        "INSERT INTO recordings VALUES (\(number), 'swarm \(number)', 2345, '\(digest)')"
      )
      // Of the second the middle was never stored.
      for part in 1...3 where number != 2 || part != 2 {
        let bytes = recording[((part - 1) * 1_000)..<min(part * 1_000, recording.count)]
        try connection.execute(
          "INSERT INTO recording_parts VALUES (\(number), \(part), x'\(Hex.encode(Array(bytes)))')"
        )
      }
    }
    try connection.execute("COMMIT")
    connection.close()
    return try File.read(path)
  }

  @Test("works without code, with and without page 1", arguments: [false, true])
  func works(withoutPage1: Bool) throws {
    var bytes = database
    if withoutPage1 { for at in 0..<Self.pageSize { bytes[at] = 0 } }
    let evidence = try folder.write(bytes, to: "evidence/bees.db")
    let profile = try folder.write(BeeProfile.text, to: "bees.json")
    let run = try Product.run([
      "salvage", "--quiet", "--profile", profile, "--to", folder.file("out"), evidence,
    ])
    #expect(run.status == 1, "\(run.errorText)")

    let files = FileTree.paths(under: folder.file("out/rows"))
    #expect(
      files == [
        "hives.jsonl", "recording_parts.jsonl", "recordings.jsonl", "settings.jsonl",
        "visits.jsonl",
      ]
    )
    let grades = try rows("recordings").map { $0["grade"]?.string }
    #expect(grades == ["verified", "partial", "verified"])
    #expect(
      try rows("recordings").map { $0["holes"] }
        == [nil, [["offset": 1_000, "length": 1_000]], nil]
    )
    for table in ["hives", "visits", "settings", "recording_parts"] {
      #expect(try rows(table).allSatisfy { $0["grade"] == "plausible" }, "\(table)")
    }
    #expect(try rows("hives").count == 20)
    #expect(
      try rows("hives").first?["row"]
        == ["id": 1, "name": "hive 1", "state": "weak", "placed_at": "2026-04-02T08:00:00Z"]
    )
    #expect(try rows("visits").map { $0["row"]?["note"] } == (1...90).map { .string("note \($0)") })
    // Mapped to the format's `kv`, so in its members.
    #expect(
      try rows("settings").first?["row"]
        == ["key": "hive.1", "value": ["alarm": 1], "updatedAt": "2026-04-02T09:00:00Z"]
    )

    #expect(try folder.read("out/files/recordings/1") == Self.recording)
    var holed = Self.recording
    for at in 1_000..<2_000 { holed[at] = 0 }
    #expect(try folder.read("out/files/recordings/2") == holed)
    #expect(try folder.read("out/files/recordings/3") == Self.recording)
  }

  private func rows(_ table: String) throws -> [JSONValue] {
    try folder.read("out/rows/\(table).jsonl").split(separator: 0x0A)
      .map { try JSONValue.parse(Array($0)) }
  }

  @Test func aBrokenProfileIsRefusedWithItsPlace() throws {
    let broken = BeeProfile.text.replacing("\"pattern\": \"uuid\"", with: "\"pattern\": \"guid\"")
    let profile = try folder.write(broken, to: "bees.json")
    let evidence = try folder.write(database, to: "evidence/bees.db")
    let run = try Product.run([
      "salvage", "--profile", profile, "--to", folder.file("out"), evidence,
    ])
    #expect(run.status == 1, "\(run.errorText)")
    #expect(run.errorText.contains("tables.1.columns.id.pattern"), "\(run.errorText)")
  }
}
