import Foundation
import Glibc
import RasdModel
import TestSupport
import Testing

/// What `inspect` says of devices' databases, and what becomes of those that stand in folders.
@Suite struct InspectDatabaseTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func device(_ options: [String]) throws -> (path: String, counts: [String: Int]) {
    let made = try Python.run(
      "devicedb.py",
      [folder.file("made"), "--rows", "50", "--seed", "3"] + options
    )
    try #require(made.status == 0, "\(made.errorText)")
    let truth = try JSONSerialization.jsonObject(
      with: Data(try folder.read("made/truth.json"))
    )
    var counts: [String: Int] = [:]
    for place in ["recoverable", "inWal"] {
      let rows = try #require((truth as? [String: Any])?[place] as? [String: [String]])
      counts.merge(rows.mapValues(\.count), uniquingKeysWith: +)
    }
    for name in ["key.txt", "truth.json"] {
      guard FileManager.default.fileExists(atPath: folder.file("made/\(name)")) else { continue }
      try FileManager.default.moveItem(
        atPath: folder.file("made/\(name)"),
        toPath: folder.file(name)
      )
      unsafe chmod(folder.file(name), 0o600)
    }
    return (folder.file("made/device.db"), counts)
  }

  private func inspect(_ arguments: [String]) throws -> [String: Any] {
    let run = try Product.run(["inspect", "--json"] + arguments)
    #expect(run.status == 0, "\(run.errorText)")
    let said = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    let things = try #require(said?["things"] as? [[String: Any]])
    return try #require(things.first { ($0["path"] as? String)?.hasSuffix("device.db") == true })
  }

  @Test("cipher, tables, siblings, health", .databaseTools, arguments: ["4", "plain"])
  func told(_ cipher: String) throws {
    let (path, counts) = try device(["--cipher", cipher, "--wal"])
    let key = cipher == "plain" ? [] : ["--key-file", folder.file("key.txt")]
    try folder.write(try File.read(path), to: "made/device.db.corrupt.1712")
    for target in [path, folder.file("made")] {
      let said = try inspect(key + [target])
      #expect(said["kind"] as? String == "database")
      #expect(said["pageSize"] as? Int == 4096)
      #expect((said["cipher"] as? String)?.hasPrefix("sqlcipher") == (cipher == "4"))
      #expect(said["healthy"] as? Bool == true, "\(said)")
      #expect(said["wal"] as? [String] == ["device.db-wal"])
      #expect(said["olderCopies"] as? [String] == ["device.db.corrupt.1712"])
      let tables = try #require(said["tables"] as? [String: Int])
      for (table, count) in counts { #expect(tables[table] == count, "\(table)") }
    }
  }

  @Test(
    "tables have the names of the profile that fits, page 1 lost or not",
    arguments: [
      ("openkeep-cache/device/openkeep.db", ["documents", "document_chunks", "cache_state"]),
      ("guidebook-mirror/device/guidebook.db", ["guides", "entries", "outbox", "sync_state"]),
      ("device-only-kv/device/plugins.db", ["plugins", "plugin_kv"]),
    ]
  )
  func profiles(_ sample: String, _ tables: [String]) throws {
    let run = try Product.run(["inspect", "--json", Checkout.path("Samples/\(sample)")])
    let things = try #require(try JSONValue.parse(run.output)["things"]?.array)
    let named = try #require(things.first?["tables"]?.members?.map(\.name))
    #expect(Set(named).subtracting(["sqlite_schema"]) == Set(tables))
  }

  @Test("without its key, and damaged", .databaseTools)
  func lockedAndDamaged() throws {
    let (path, _) = try device(["--cipher", "4"])
    let locked = try inspect([path])
    #expect(locked["kind"] as? String == "unknown, or an encrypted database")
    #expect(locked["wal"] as? String == "none" && locked["tables"] == nil)
    #expect((locked["key"] as? String)?.contains("--key-file") == true)

    let wrong = try folder.write(String(repeating: "11", count: 32), to: "wrong.key")
    unsafe chmod(wrong, 0o600)
    let refused = try Product.run(["inspect", "--key-file", wrong, path])
    #expect(refused.status == 12 && refused.errorText.contains("wrong-key"))

    var bytes = try File.read(path)
    bytes[4096 * 4 + 900] ^= 4
    let hurt = try folder.write(bytes, to: "hurt/device.db")
    let said = try inspect(["--key-file", folder.file("key.txt"), hurt])
    #expect(said["healthy"] as? Bool == false)
    #expect((said["faults"] as? [String])?.contains("page 5") == true, "\(said)")
    #expect(said["next"] as? [String] == ["rasdkit", "salvage", hurt])
  }

  @Test("a database in a folder is used, or named with the reason", .databaseTools)
  func inFolders() throws {
    let (path, counts) = try device(["--cipher", "4", "--wal"])
    let key = try folder.write(String(repeating: "5a", count: 32), to: "store.key")
    unsafe chmod(key, 0o600)
    func consolidate(_ name: String, _ arguments: [String]) throws -> ChildProcess.Result {
      try Product.run(
        ["consolidate", "--store", folder.file(name), "--store-key-file", key, "--json"]
          + ["--report", folder.file("\(name).jsonl"), "--key-file", folder.file("key.txt")]
          + arguments
      )
    }
    let used = try consolidate("used", ["--namespace", "wfp-jo.u_1", folder.file("made")])
    #expect(used.status == 0, "\(used.errorText)")
    let rows = try Product.run(
      ["export", "--quiet", "--format", "jsonl", "--to", folder.file("lines"), "--store"]
        + [folder.file("used"), "--store-key-file", key]
    )
    #expect(rows.status == 0)
    let submissions = try folder.read("lines/submissions.jsonl").split(separator: 0x0A)
    #expect(submissions.count == counts["submissions"])

    // Nothing else there: refused, with what to give. Among exports: named, and the rest goes on.
    let refused = try consolidate("refused", [folder.file("made")])
    #expect(refused.status == 1 && refused.errorText.contains("namespace-required"))
    let fleet = try Fleet(
      ["--seed", "7", "--devices", "1", "--rows", "9"],
      in: folder.file("fleet")
    )
    try FileManager.default.copyItem(atPath: path, toPath: folder.file("fleet/exports/device.db"))
    let ignored = try consolidate("ignored", fleet.keys + [folder.file("fleet/exports")])
    #expect(ignored.status == 0, "\(ignored.errorText)")
    let report = String(decoding: try folder.read("ignored.jsonl"), as: UTF8.self)
    #expect(report.contains(#""reason":"database-ignored""#))
    let schema = try JSONSchema(file: "Docs/report.schema.json")
    for line in try folder.read("ignored.jsonl").split(separator: 0x0A) {
      #expect(schema.violations(of: try JSONValue.parse(Array(line))) == [])
    }
  }
}
