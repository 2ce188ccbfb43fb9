import Foundation
import Glibc
import RasdModel
import TestSupport
import Testing

/// Databases of known content, damaged, through the command line.
@Suite struct SalvageTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A device's database made with `options`; the folder holds its photos, the key lies beside it.
  private func device(_ options: [String], rows: Int = 60) throws -> String {
    let made = try Python.run(
      "devicedb.py",
      [folder.file("made"), "--rows", "\(rows)", "--seed", "5"] + options
    )
    try #require(made.status == 0, "\(made.errorText)")
    for name in ["key.txt", "key2.txt", "passphrase.txt", "field.key", "truth.json"] {
      guard FileManager.default.fileExists(atPath: folder.file("made/" + name)) else { continue }
      let target = folder.file(name)
      try FileManager.default.moveItem(atPath: folder.file("made/" + name), toPath: target)
      unsafe chmod(target, 0o600)
    }
    return folder.file("made")
  }

  private func rawKey(_ name: String) throws -> String {
    let path = try folder.write(String(repeating: "5a", count: 32), to: name)
    unsafe chmod(path, 0o600)
    return path
  }

  private func expectSound(report: String) throws {
    let schema = try JSONSchema(file: "Docs/report.schema.json")
    for line in try File.read(report).split(separator: 0x0A) {
      #expect(schema.violations(of: try JSONValue.parse(Array(line))) == [])
    }
  }

  private func truth() throws -> [String: Any] {
    let bytes = try folder.read("truth.json")
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test(
    "every recoverable submission comes back, under its table",
    .databaseTools,
    arguments: [
      ["--cipher", "4", "--wal", "--damage", "zero:3"],
      ["--cipher", "3", "--jsonb", "--damage", "flip:4"],
      ["--cipher", "plain", "--utf16", "--damage", "header"],
      ["--cipher", "4", "--damage", "root", "--auto-vacuum"],
    ]
  )
  func recoverable(_ options: [String]) throws {
    let evidence = try device(options)
    let before = try FileTree(of: evidence)
    let keys = options.contains("plain") ? [] : ["--key-file", folder.file("key.txt")]
    let run = try Product.run(
      ["salvage", "--quiet", "--to", folder.file("out"), "--report", folder.file("r.jsonl")] + keys
        + [evidence]
    )
    #expect([0, 1].contains(run.status), "\(run.errorText)")
    #expect(try FileTree(of: evidence).changes(since: before) == [])
    try expectSound(report: folder.file("r.jsonl"))

    var found: Set<String> = []
    for line in try folder.read("out/rows/submissions.jsonl").split(separator: 0x0A) {
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      guard let kind = object?["kind"] as? String, ["live", "orphan"].contains(kind),
        let row = object?["row"] as? [String: Any], let id = row["id"] as? String
      else { continue }
      found.insert(id)
    }
    let recoverable = try truth()["recoverable"] as? [String: [String]]
    let expected = try #require(recoverable?["submissions"])
    #expect(Set(expected).subtracting(found) == [])
  }

  @Test("a dead phone's database and photos are sealed for its replacement", .databaseTools)
  func sealedForReplacement() throws {
    let evidence = try device(["--cipher", "4", "--damage", "zero:2"])
    let new = try rawKey("new.key")
    let target = folder.file("new.rasdx")
    let arguments = [
      "salvage", "--quiet", "--key-file", folder.file("key.txt"), "--namespace", "wfp-jo.u_1",
      "--to", target, "--to-key-file", new, "--report", folder.file("r.jsonl"), evidence,
    ]
    let run = try Product.run(arguments)
    #expect([0, 1].contains(run.status), "\(run.errorText)")
    try expectSound(report: folder.file("r.jsonl"))
    let other = try Python.run("rasdx.py", ["--key-file", new, "verify", target])
    #expect(other.status == 0, "\(other.errorText)")
    let whole = try Product.run(["verify", "--quiet", "--key-file", new, target])
    #expect(whole.status == 0, "\(whole.errorText)")
  }

  @Test("a database that enters a store is one source of its own size", .databaseTools)
  func countedOnce() throws {
    let evidence = try device(["--cipher", "4", "--damage", "zero:2"])
    let run = try Product.run([
      "salvage", "--quiet", "--key-file", folder.file("key.txt"), "--namespace", "wfp-jo.u_1",
      "--into", folder.file("store"), "--store-key-file", try rawKey("store.key"),
      "--report", folder.file("r.jsonl"), evidence,
    ])
    #expect([0, 1].contains(run.status), "\(run.errorText)")
    let last = try #require(try folder.read("r.jsonl").split(separator: 0x0A).last)
    let finished = try JSONValue.parse(Array(last))
    #expect(finished["bytes"]?.int == Int64(try File.read("\(evidence)/device.db").count))
    #expect(finished["sources"]?["taken"]?.int == 1)
    #expect(try #require(finished["imported"]?.int) > 0)
  }

  @Test("a healthy database merges like an export; a damaged one is refused", .databaseTools)
  func source() throws {
    let evidence = try device(["--cipher", "4", "--wal"])
    let before = try FileTree(of: evidence)
    let store = folder.file("store")
    let arguments = [
      "consolidate", "--quiet", "--store", store, "--store-key-file", try rawKey("store.key"),
      "--key-file", folder.file("key.txt"), "--namespace", "wfp-jo.u_1", "--report",
      folder.file("r.jsonl"), "\(evidence)/device.db",
    ]
    let first = try Product.run(arguments)
    #expect(first.status == 0, "\(first.errorText)")
    try expectSound(report: folder.file("r.jsonl"))
    let again = try Product.run(arguments)
    #expect(again.lines.last?.hasPrefix("0 imported") == true, "\(again.outputText)")
    #expect(try FileTree(of: evidence).changes(since: before) == [])

    var bytes = try File.read("\(evidence)/device.db")
    bytes[4096 * 3 + 100] ^= 1
    try folder.write(bytes, to: "hurt/device.db")
    let refused = try Product.run(arguments.dropLast() + [folder.file("hurt/device.db")])
    #expect(refused.status == 1)
    let report = String(decoding: try folder.read("r.jsonl"), as: UTF8.self)
    #expect(report.contains(#""help":["rasdkit","salvage","#))
  }

  @Test("a hot journal is not healthy, one that is done is", .databaseTools)
  func journals() throws {
    let evidence = try device(["--cipher", "plain"])
    let database = try File.read("\(evidence)/device.db")
    // One record of page 2 as SQLite writes it, its header filled in or zeroed.
    var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    for word: UInt32 in [1, 7, UInt32(database.count / 4096), 512, 4096] {
      journal += (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
    journal += [UInt8](repeating: 0, count: 512 - journal.count) + [0, 0, 0, 2]
    let page = Array(database[4096..<8192])
    let sum = stride(from: 4096 - 200, to: 0, by: -200).reduce(7) { $0 &+ UInt32(page[$1]) }
    journal += page + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
    func consolidate() throws -> ChildProcess.Result {
      try Product.run([
        "consolidate", "--quiet", "--store", folder.file("store"), "--store-key-file",
        try rawKey("store.key"), "--namespace", "wfp-jo.u_1", "--report", folder.file("r.jsonl"),
        "\(evidence)/device.db",
      ])
    }
    try folder.write(journal, to: "made/device.db-journal")
    let refused = try consolidate()
    #expect(
      refused.status == 1 && refused.errorText.contains("journal-hot"),
      "\(refused.errorText)"
    )
    let report = String(decoding: try folder.read("r.jsonl"), as: UTF8.self)
    #expect(report.contains(#""help":["rasdkit","salvage","#))

    for i in 0..<28 { journal[i] = 0 }
    try folder.write(journal, to: "made/device.db-journal")
    let taken = try consolidate()
    #expect(taken.status == 0, "\(taken.errorText)")
  }

  @Test("a wrong key and a lost salt are 12, nothing to recover is 3", .databaseTools)
  func exitStatuses() throws {
    let evidence = try device(["--cipher", "4", "--passphrase"])
    let wrong = try Product.run([
      "salvage", "--quiet", "--key-file", try rawKey("wrong.key"), "--to", folder.file("a"),
      "\(evidence)/device.db",
    ])
    #expect(wrong.status == 12, "\(wrong.errorText)")

    var bytes = try File.read("\(evidence)/device.db")
    for i in 0..<4096 { bytes[i] = 0 }
    let lost = try Product.run([
      "salvage", "--quiet", "--passphrase-file", folder.file("passphrase.txt"), "--to",
      folder.file("b"), try folder.write(bytes, to: "lost/device.db"),
    ])
    #expect(lost.status == 12 && lost.errorText.contains("salt-lost"), "\(lost.errorText)")
    #expect(lost.errorText.contains("give --salt from another copy, or the raw key"))

    // In front of a cut file anything may be its salt.
    var random = SeededGenerator(seed: 5)
    let shifted = random.bytes(333) + (try File.read("\(evidence)/device.db")).dropLast(700)
    let misplaced = try Product.run([
      "salvage", "--quiet", "--passphrase-file", folder.file("passphrase.txt"), "--to",
      folder.file("d"), try folder.write(shifted, to: "misplaced/device.db"),
    ])
    #expect(misplaced.status == 12 && misplaced.errorText.contains("salt-misplaced"))

    let nothing = try Product.run([
      "salvage", "--quiet", "--to", folder.file("c"), folder.file("absent.db"),
    ])
    #expect(nothing.status == 3, "\(nothing.errorText)")
  }
}
