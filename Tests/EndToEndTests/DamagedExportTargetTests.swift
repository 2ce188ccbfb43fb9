import Foundation
import Glibc
import RasdModel
import TestSupport
import Testing

/// Exports of a fleet, damaged, salvaged into a folder, an export and a store: the same rows, the
/// same grades, the same ledger.
@Suite struct DamagedExportTargetTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A fleet's largest export with some of its submissions and of its middle overwritten.
  private func damaged() throws -> (path: String, keys: [String], fleet: Fleet) {
    let fleet = try Fleet(
      ["--devices", "3", "--rows", "120", "--seed", "8"],
      in: folder.file("fleet")
    )
    let all = try fleet.exports.map { ($0, try File.read($0)) }
    let (_, bytes) = try #require(all.max { $0.1.count < $1.1.count })
    var hurt = bytes
    let rows = try #require(Data(bytes).range(of: Data("submissions.jsonl".utf8)))
    for i in rows.upperBound + 20_000..<(rows.upperBound + 20_400) { hurt[i] = 0 }
    for i in bytes.count / 3..<(bytes.count / 3 + 3000) { hurt[i] = 0 }
    for i in bytes.count * 2 / 3..<(bytes.count * 2 / 3 + 20) { hurt[i] ^= 0x10 }
    return (try folder.write(hurt, to: "hurt/hurt.rasdx"), fleet.keys, fleet)
  }

  private func key(_ name: String) throws -> String {
    let path = try folder.write(String(repeating: "6b", count: 32), to: name)
    unsafe chmod(path, 0o600)
    return path
  }

  private func ledger(_ report: String) throws -> NSDictionary {
    let schema = try JSONSchema(file: "Docs/report.schema.json")
    var ledgers: [NSMutableDictionary] = []
    for line in try File.read(report).split(separator: 0x0A) {
      #expect(schema.violations(of: try JSONValue.parse(Array(line))) == [])
      let object = try JSONSerialization.jsonObject(with: Data(line), options: .mutableContainers)
      if let event = object as? NSMutableDictionary,
        event["event"] as? String == "salvage.ledger"
      {
        event.removeObjects(forKeys: ["seq", "run", "at"])
        ledgers.append(event)
      }
    }
    try #require(ledgers.count == 1)
    return ledgers[0]
  }

  /// Keys of rows by table and grade, as a folder's lines give them.
  private func grades(inFolder path: String) throws -> [String: Int] {
    var grades: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path + "/rows") {
      for line in try File.read("\(path)/rows/\(name)").split(separator: 0x0A) {
        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        let grade = try #require(object?["grade"] as? String)
        guard grade != "contradicted" else { continue }
        grades["\(name.dropLast(6)) \(grade)", default: 0] += 1
      }
    }
    return grades
  }

  private func grades(inStore path: String, _ keys: [String]) throws -> [String: Int] {
    let out = path + ".lines"
    let run = try Product.run(
      ["export", "--quiet", "--store", path, "--format", "jsonl", "--to", out] + keys
    )
    try #require(run.status == 0, "\(run.errorText)")
    var grades: [String: Int] = [:]
    for line in try File.read(out + "/x_rasdkit_salvage.jsonl").split(separator: 0x0A) {
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      let table = try #require(object?["table"] as? String)
      let grade = try #require(object?["grade"] as? String)
      grades["\(table) \(grade)", default: 0] += 1
    }
    return grades
  }

  @Test("a damaged export enters a folder, an export and a store alike", .databaseTools)
  func everywhere() throws {
    let (path, keys, _) = try damaged()
    let before = try FileTree(of: folder.file("hurt"))
    func salvage(_ name: String, _ target: [String]) throws -> NSDictionary {
      let run = try Product.run(
        ["salvage", "--quiet", "--report", folder.file("\(name).jsonl")] + keys + target + [path]
      )
      try #require(run.status == 1, "\(run.errorText)")
      let last = try #require(
        try File.read(folder.file("\(name).jsonl")).split(separator: 0x0A).last
      )
      let finished = try JSONValue.parse(Array(last))
      #expect(finished["bytes"]?.int == Int64(try File.read(path).count))
      let one: [String: JSONValue] = ["taken": 1, "known": 0, "refused": 0]
      for (outcome, count) in one { #expect(finished["sources"]?[outcome] == count, "\(name)") }
      return try ledger(folder.file("\(name).jsonl"))
    }
    let mine = try key("mine.key")
    let storeKey = ["--store-key-file", mine]
    let rows = try salvage("dir", ["--to", folder.file("dir")])
    let sealed = ["--to", folder.file("new.rasdx"), "--to-key-file", mine]
    #expect(try salvage("sealed", sealed) == rows)
    #expect(try salvage("store", ["--into", folder.file("store")] + storeKey) == rows)
    #expect(try FileTree(of: folder.file("hurt")).changes(since: before) == [])

    let whole = try Product.run(["verify", "--quiet", "--key-file", mine, folder.file("new.rasdx")])
    #expect(whole.status == 0, "\(whole.errorText)")
    let other = try Python.run(
      "rasdx.py",
      ["--key-file", mine, "verify", folder.file("new.rasdx")]
    )
    #expect(other.status == 0, "\(other.errorText)")
    let again = try Product.run(
      ["consolidate", "--quiet", "--store", folder.file("second"), "--key-file", mine] + storeKey
        + [folder.file("new.rasdx")]
    )
    #expect(again.status == 0, "\(again.errorText)")

    let expected = try grades(inFolder: folder.file("dir"))
    #expect(expected.values.reduce(0, +) > 50)
    #expect(try folder.read("dir/rows/x_tracks.jsonl").isEmpty == false)
    #expect(try grades(inStore: folder.file("store"), storeKey) == expected)
    #expect(try grades(inStore: folder.file("second"), storeKey) == expected)
    let digests = try ["store", "second"].map { name in
      try Product.run(["digest", "--store", folder.file(name)] + storeKey).outputText
    }
    #expect(digests[0] == digests[1] && !digests[0].isEmpty)
  }

  @Test("every blob of a damaged export that is whole goes along", .databaseTools)
  func blobs() throws {
    let (path, keys, _) = try damaged()
    let mine = try key("mine.key")
    let folderRun = try Product.run(
      ["salvage", "--json", "--to", folder.file("dir")] + keys + [path]
    )
    let said = try JSONSerialization.jsonObject(with: Data(folderRun.output)) as? [String: Any]
    let sealed = try Product.run(
      ["salvage", "--quiet", "--to", folder.file("new.rasdx"), "--to-key-file", mine] + keys
        + [path]
    )
    #expect(sealed.status == 1, "\(sealed.errorText)")
    let store = try TestStore("store", in: folder.path)
    try store.consolidate([folder.file("new.rasdx"), "--key-file", mine])
    try store.run("export", ["--quiet", "--format", "jsonl", "--to", folder.file("lines")])
    let whole = try #require(said?["wholeBlobs"] as? Int)
    #expect(whole > 0)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.file("lines/attachments")
    )
    for name in names {
      #expect(
        try folder.read("lines/attachments/\(name)") == folder.read("dir/attachments/\(name)")
      )
    }
    #expect(names.count <= whole && names.count > whole / 2)
  }

  /// A folder with a dead phone's database and, beside it, a damaged export of another.
  private func mixed(_ hurt: String) throws -> (path: String, key: String) {
    let made = try Python.run(
      "devicedb.py",
      [folder.file("phone"), "--rows", "40", "--seed", "5", "--cipher", "4", "--damage", "zero:1"]
    )
    try #require(made.status == 0, "\(made.errorText)")
    try FileManager.default.removeItem(atPath: folder.file("phone/truth.json"))
    try FileManager.default.moveItem(
      atPath: folder.file("phone/key.txt"),
      toPath: folder.file("key.txt")
    )
    unsafe chmod(folder.file("key.txt"), 0o600)
    try folder.write(try File.read(hurt), to: "phone/backup/last.rasdx")
    return (folder.file("phone"), folder.file("key.txt"))
  }

  @Test("a damaged export beside a database is taken by the same command", .databaseTools)
  func besideADatabase() throws {
    let (hurt, keys, _) = try damaged()
    let (evidence, key) = try mixed(hurt)
    let before = try FileTree(of: evidence)
    let mine = try self.key("mine.key")
    func salvage(_ target: [String]) throws -> (run: ChildProcess.Result, last: JSONValue) {
      let report = folder.file("r.jsonl")
      let run = try Product.run(
        ["salvage", "--namespace", "wfp-jo.u_1", "--key-file", key, "--report", report, "--force"]
          + keys + target + [evidence]
      )
      try #require(run.status == 1, "\(run.errorText)")
      let schema = try JSONSchema(file: "Docs/report.schema.json")
      let lines = try File.read(report).split(separator: 0x0A).map {
        try JSONValue.parse(Array($0))
      }
      for line in lines { #expect(schema.violations(of: line) == []) }
      return (run, try #require(lines.last))
    }
    let (_, taken) = try salvage(["--to", folder.file("out")])
    #expect(taken["sources"]?["taken"]?.int == 2)
    let alone = try Product.run(
      ["salvage", "--quiet", "--to", folder.file("alone")] + keys + [hurt]
    )
    #expect(alone.status == 1, "\(alone.errorText)")
    let exports = folder.file("out/exports")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: exports).first)
    #expect(try grades(inFolder: "\(exports)/\(name)") == grades(inFolder: folder.file("alone")))
    #expect(try !grades(inFolder: folder.file("out")).isEmpty)

    let store = ["--into", folder.file("store"), "--store-key-file", mine]
    #expect(try salvage(store).last["sources"]?["taken"]?.int == 2)
    let sources = try Product.run(
      ["sources", "list", "--json", "--store", folder.file("store"), "--store-key-file", mine]
    )
    #expect(try JSONValue.parse(sources.output)["sources"]?.array?.count == 2)

    let (sealed, left) = try salvage(
      ["--to", folder.file("new.rasdx"), "--to-key-file", mine]
    )
    #expect(left["sources"]?["taken"]?.int == 1 && left["sources"]?["refused"]?.int == 1)
    let line = sealed.errorText.split(separator: "\n").filter { $0.contains("export-beside") }
    #expect(line.count == 1)
    #expect(line.first?.contains("rasdkit salvage \(evidence)/backup/last.rasdx --to DIR") == true)
    #expect(try FileTree(of: evidence).changes(since: before) == [])
  }

  @Test("what is left of a store's export enters an export and a store", .databaseTools)
  func storeExport() throws {
    let (_, keys, fleet) = try damaged()
    let store = try TestStore("store", in: folder.path)
    try store.consolidate(try fleet.exports, keys)
    let mine = try key("mine.key")
    try store.run("export", ["--quiet", "--to", folder.file("all.rasdx"), "--to-key-file", mine])
    var bytes = try folder.read("all.rasdx")
    bytes.removeLast(bytes.count / 4)
    for i in bytes.count / 3..<(bytes.count / 3 + 2000) { bytes[i] ^= 0x55 }
    let cut = try folder.write(bytes, to: "cut.rasdx")
    let salvage = ["salvage", "--quiet", "--key-file", mine]
    let folderRun = try Product.run(salvage + ["--to", folder.file("dir"), cut])
    #expect(folderRun.status == 1, "\(folderRun.errorText)")
    let sealed = try Product.run(
      salvage + ["--to", folder.file("new.rasdx"), "--to-key-file", mine, cut]
    )
    #expect(sealed.status == 1, "\(sealed.errorText)")
    let whole = try Product.run(["verify", "--quiet", "--key-file", mine, folder.file("new.rasdx")])
    #expect(whole.status == 0, "\(whole.errorText)")

    func ids(_ store: TestStore) throws -> Set<String> {
      let lines = store.path + ".lines"
      try store.run("export", ["--quiet", "--format", "jsonl", "--to", lines])
      let rows = try File.read(lines + "/submissions.jsonl").split(separator: 0x0A)
      return Set(try rows.map { try #require(try JSONValue.parse(Array($0))["id"]?.string) })
    }
    let direct = try TestStore("direct", in: folder.path)
    let into = ["--into", direct.path, "--store-key-file", direct.keyFile, cut]
    let entered = try Product.run(salvage + into)
    #expect(entered.status == 1, "\(entered.errorText)")
    let second = try TestStore("second", in: folder.path)
    // A line whose row was lost is rejected, there as here.
    let again = try Product.run(
      ["consolidate", "--quiet", "--key-file", mine] + second.options + [folder.file("new.rasdx")]
    )
    #expect([0, 1].contains(again.status), "\(again.errorText)")
    let taken = try TestStore("taken", in: folder.path)
    let asked = try Product.run(
      ["consolidate", "--quiet", "--take-damaged", "--key-file", mine] + taken.options + [cut]
    )
    #expect(asked.status == 1, "\(asked.errorText)")
    let got = try ids(direct)
    #expect(got.count > 20)
    #expect(try got.isSubset(of: ids(store)))
    #expect(try second.digest() == direct.digest())
    #expect(try taken.digest() == direct.digest())
  }
}
