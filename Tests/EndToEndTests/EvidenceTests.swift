import Foundation
import Glibc
import TestSupport
import Testing

/// That no command touches what it reads, killed or not, and that nothing of an encrypted database
/// is written in the clear anywhere but where it was asked for.
@Suite struct EvidenceTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A folder of evidence, its keys outside it.
  ///
  /// An encrypted device's database with its WAL and photos, an export that is whole and one that
  /// is not.
  private struct Scene {
    let evidence: String
    let database: String
    let whole: String
    let damaged: String
    let keys: [String]
    let store: String
    /// Texts of the database that stand in no id and no report.
    let secrets: [String]
  }

  private func scene() throws -> Scene {
    let evidence = folder.file("evidence")
    let made = try Python.run(
      "devicedb.py",
      [evidence + "/device", "--rows", "60", "--seed", "5", "--cipher", "4", "--wal"]
    )
    try #require(made.status == 0, "\(made.errorText)")
    let fleet = try Fleet(
      ["--seed", "7", "--devices", "1", "--rows", "60"],
      in: folder.file("fleet")
    )
    let export = try File.read(try fleet.exports[0])
    var hurt = export
    for i in export.count / 2..<(export.count / 2 + 900) { hurt[i] = 0 }
    for name in ["key.txt", "truth.json"] {
      try FileManager.default.moveItem(
        atPath: evidence + "/device/" + name,
        toPath: folder.file(name)
      )
    }
    unsafe chmod(folder.file("key.txt"), 0o600)
    let store = try folder.write(String(repeating: "5a", count: 32), to: "store.key")
    unsafe chmod(store, 0o600)
    let keys = ["--key-file", folder.file("key.txt")] + fleet.keys
    let database = evidence + "/device/device.db"
    let rows = folder.file("rows")
    let salvage = try Product.run(["salvage", "--quiet", "--to", rows] + keys + [database])
    try #require(salvage.status == 0, "\(salvage.errorText)")
    var secrets: [String] = []
    for line in try File.read(rows + "/rows/submissions.jsonl").split(separator: 0x0A).prefix(20) {
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      let row = object?["row"] as? [String: Any]
      if let name = row?["instanceName"] as? String, name.utf8.count > 7 { secrets.append(name) }
    }
    try #require(secrets.count > 3)
    return Scene(
      evidence: evidence,
      database: database,
      whole: try folder.write(export, to: "evidence/whole.rasdx"),
      damaged: try folder.write(hurt, to: "evidence/damaged.rasdx"),
      keys: keys,
      store: store,
      secrets: secrets
    )
  }

  /// Every command that reads somebody's files, by name; what it writes lies in `place`.
  private func commands(_ scene: Scene, _ place: String) -> [(name: String, words: [String])] {
    let owner = ["--namespace", "wfp-jo.u_1"]
    let sealed = ["--to-key-file", scene.store]
    let storeKey = ["--store-key-file", scene.store]
    let report = ["--quiet", "--report", place + "/report.jsonl"] + scene.keys
    return [
      ("inspect", ["inspect"] + ["--key-file", folder.file("key.txt"), scene.evidence]),
      ("verify", ["verify"] + report + [scene.whole, scene.damaged]),
      (
        "consolidate",
        ["consolidate", "--store", place + "/s"] + storeKey + report + owner + [scene.evidence]
      ),
      (
        "dry run",
        ["consolidate", "--dry-run", "--store", place + "/d"] + storeKey + report + owner
          + [scene.evidence]
      ),
      (
        "migrate",
        ["migrate", "--to", place + "/m.rasdx"] + sealed + report + owner + [scene.database]
      ),
      (
        "salvage to an export",
        ["salvage", "--to", place + "/e.rasdx"] + sealed + report + owner + [scene.database]
      ),
      (
        "salvage into a store",
        ["salvage", "--into", place + "/i"] + storeKey + report + owner + [scene.database]
      ),
      (
        "salvage of an export",
        ["salvage", "--into", place + "/x"] + storeKey + report + [scene.damaged]
      ),
    ]
  }

  @Test("no command touches its evidence or leaves plaintext, killed or not", .databaseTools)
  func untouched() throws {
    let scene = try scene()
    let before = try FileTree(of: scene.evidence)
    for (name, words) in commands(scene, folder.file("plain")) {
      var duration: Duration = .zero
      for round in 0...Soak.rounds(short: 3, long: 20) {
        let place = folder.file("\(name) \(round)".replacing(" ", with: "-"))
        let temporary = place + "/tmp"
        try FileManager.default.createDirectory(
          atPath: temporary,
          withIntermediateDirectories: true
        )
        let arguments = words.map { $0.replacing(folder.file("plain"), with: place) }
        let started = ContinuousClock.now
        let child = try ChildProcess(
          Product.rasdkit,
          arguments,
          environment: ["TMPDIR": temporary],
          directory: place
        )
        if round > 0 {
          let share = Double(round) / Double(Soak.rounds(short: 3, long: 20) + 1)
          usleep(UInt32(max(1, duration / .microseconds(1) * share)))
          child.send(signal: SIGKILL)
        }
        let result = child.wait()
        if round == 0 {
          duration = ContinuousClock.now - started
          #expect([0, 1].contains(result.status), "\(name): \(result.errorText)")
        }
        #expect(try FileTree(of: scene.evidence).changes(since: before) == [], "\(name) \(round)")
        let written = try FileTree(of: place)
        #expect(written.paths(holding: scene.secrets) == [], "\(name) \(round)")
        // A dry run's own store is taken away by the next run.
        if name != "dry run" || round == 0 {
          #expect(FileTree.paths(under: temporary) == [], "\(name) \(round)")
        }
      }
    }
  }

  @Test("a killed dry run's store goes with the next run", .databaseTools)
  func leftovers() throws {
    let scene = try scene()
    let temporary = folder.file("tmp")
    let stale = temporary + "/rasdkit-run-0011223344556677/store"
    try FileManager.default.createDirectory(atPath: stale, withIntermediateDirectories: true)
    try Data("sealed".utf8).write(to: URL(filePath: stale + "/store.db"))
    let run = try Product.run(
      ["consolidate", "--dry-run", "--quiet", "--store", folder.file("s")] + scene.keys
        + ["--store-key-file", scene.store, scene.whole],
      environment: ["TMPDIR": temporary]
    )
    #expect(run.status == 0, "\(run.errorText)")
    #expect(FileTree.paths(under: temporary) == [])
  }

  @Test("evidence on a read-only mount is read like any other", .databaseTools)
  func readOnlyMount() throws {
    let scene = try scene()
    let place = folder.file("place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    // Of a namespace of its own, so nothing stays mounted.
    let mount = """
      e=$1; shift; mount --bind "$e" "$e" && mount -o remount,bind,ro "$e" || exit 99
      touch "$e/x" 2>/dev/null && exit 98
      exec "$@"
      """
    for (name, words) in commands(scene, place) {
      let run = try ChildProcess.run(
        "/usr/bin/env",
        ["unshare", "-rm", "sh", "-c", mount, "sh", scene.evidence, Product.rasdkit] + words
      )
      if run.status == 99 || run.errorText.hasPrefix("unshare:") {
        print("skipped: read-only mounts can't be made here")
        return
      }
      #expect([0, 1].contains(run.status), "\(name): \(run.errorText)")
    }
  }
}
