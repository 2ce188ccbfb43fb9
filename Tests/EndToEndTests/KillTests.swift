import Foundation
import RasdModel
import TestSupport
import Testing

/// A process killed at any instant leaves a store that the same command finishes.
@Suite struct KillTests {
  static let photos = ["--photos", "1", "--photo-bytes", "60000", "--slot", "key"]

  @Test("killed at random instants, then run again", .containerTools)
  func killedAnywhere() throws {
    let folder = try TemporaryDirectory()
    var random = SeededGenerator(for: "killedAnywhere")
    let fleet = try Fleet(
      ["--seed", "7", "--devices", "4", "--rows", "40"] + Self.photos,
      in: folder.path + "/fleet"
    )
    let exports = try fleet.exports
    let whole = try TestStore("whole", in: folder.path)
    let started = ContinuousClock.now
    try whole.consolidate(exports, fleet.keys)
    let duration = ContinuousClock.now - started
    let digest = try whole.digest()

    var cutShort = 0
    for round in 0..<Soak.rounds(short: 12, long: 200) {
      let store = try TestStore("killed-\(round)", in: folder.path)
      let temporary = folder.path + "/tmp-\(round)"
      try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
      let child = try ChildProcess(
        Product.rasdkit,
        ["consolidate"] + store.options + fleet.keys + ["--quiet"] + exports,
        environment: ["TMPDIR": temporary]
      )
      usleep(UInt32(Double.random(in: 0...1.05, using: &random) * (duration / .microseconds(1))))
      child.send(signal: SIGKILL)
      if child.wait().signal == SIGKILL { cutShort += 1 }
      try store.consolidate(exports, fleet.keys)
      #expect(try store.digest() == digest, "round \(round)")
      let left = FileTree.paths(under: store.path).filter(Self.isTemporary)
      #expect(left.isEmpty, "round \(round)")
      #expect(FileTree.paths(under: temporary).isEmpty, "round \(round)")
      try FileManager.default.removeItem(atPath: store.path)
    }
    #expect(cutShort > 0, "no run was cut short")
  }

  /// Commits that were not synced are what a power cut takes: the log is cut or torn at any byte.
  @Test("a power cut at any moment, then run again", .containerTools)
  func powerCut() throws {
    let folder = try TemporaryDirectory()
    var random = SeededGenerator(for: "powerCut")
    let fleet = try Fleet(
      ["--seed", "17", "--devices", "3", "--rows", "60"] + Self.photos,
      in: folder.path + "/fleet"
    )
    let exports = try fleet.exports
    let whole = try TestStore("whole", in: folder.path)
    let started = ContinuousClock.now
    try whole.consolidate(exports, fleet.keys)
    let duration = ContinuousClock.now - started
    let digest = try whole.digest()

    var torn = 0
    for round in 0..<Soak.rounds(short: 8, long: 100) {
      let store = try TestStore("cut-\(round)", in: folder.path)
      let child = try ChildProcess(
        Product.rasdkit,
        ["consolidate"] + store.options + fleet.keys + ["--quiet"] + exports
      )
      usleep(UInt32(Double.random(in: 0.2...1, using: &random) * (duration / .microseconds(1))))
      child.send(signal: SIGKILL)
      _ = child.wait()
      if try Self.tearLog(of: store.path, using: &random) { torn += 1 }
      try store.consolidate(exports, fleet.keys)
      #expect(try store.digest() == digest, "round \(round)")
      try store.run("check", [])
      try FileManager.default.removeItem(atPath: store.path)
    }
    #expect(torn > 0, "no log was torn")
  }

  /// Cuts the store's log and spoils what is left of its end; false where there is none, or where
  /// part of it has been synced and carried into the database, which no power cut undoes.
  private static func tearLog(
    of store: String,
    using random: inout SeededGenerator
  ) throws -> Bool {
    guard var log = try? File.read(store + "/store.db-wal"), log.count > 4096,
      let index = try? File.read(store + "/store.db-shm"), index.count > 100,
      index[96..<100].allSatisfy({ $0 == 0 })
    else { return false }
    log.removeLast(Int.random(in: 0..<log.count, using: &random))
    for i in log.indices.suffix(Int.random(in: 0...512, using: &random)) {
      log[i] = .random(in: 0...255, using: &random)
    }
    try Data(log).write(to: URL(filePath: store + "/store.db-wal"))
    try FileManager.default.removeItem(atPath: store + "/store.db-shm")
    return true
  }

  @Test("a source that is never gone on with leaves nothing behind", .containerTools)
  func abandoned() throws {
    let folder = try TemporaryDirectory()
    var random = SeededGenerator(for: "abandoned")
    let fleet = try Fleet(
      ["--seed", "27", "--devices", "2", "--rows", "30"] + Self.photos,
      in: folder.path + "/fleet"
    )
    let exports = try fleet.exports
    var leftBehind = 0
    for round in 0..<Soak.rounds(short: 8, long: 60) {
      let store = try TestStore("store-\(round)", in: folder.path)
      let child = try ChildProcess(
        Product.rasdkit,
        ["consolidate", "--quiet"] + store.options + fleet.keys + [exports[0]]
      )
      while child.isRunning, FileTree.paths(under: store.path + "/blobs").count < 2 { usleep(200) }
      usleep(UInt32.random(in: 0...20_000, using: &random))
      child.send(signal: SIGKILL)
      _ = child.wait()
      leftBehind += try Self.leftovers(store)
      try store.consolidate([exports[1]], fleet.keys)
      #expect(try Self.leftovers(store) == 0, "round \(round)")
      try FileManager.default.removeItem(atPath: store.path)
    }
    #expect(leftBehind > 0, "no kill fell between a blob's name and its commit")
  }

  private static func leftovers(_ store: TestStore) throws -> Int {
    let text = try store.run("check", ["--json"]).output
    let checked = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
    return try #require(checked?["leftovers"] as? Int)
  }

  private static func isTemporary(_ path: String) -> Bool {
    path.hasSuffix(".tmp") || path.contains("/spool/") || path.hasSuffix("-journal")
  }

  @Test(
    "an export that changed after a kill is gone on with where it is the same",
    .containerTools,
    arguments: ["kv.jsonl", "datasets.jsonl", "submissions.jsonl", "attachments/", "reverse"]
  )
  func changedAfterKill(_ entry: String) throws {
    let folder = try TemporaryDirectory()
    let fleet = try Fleet(
      ["--seed", "9", "--devices", "1", "--rows", "400", "--photo-bytes", "20000"]
        + ["--photos", "1", "--slot", "key"],
      in: folder.path + "/fleet"
    )
    let export = try fleet.exports[0]
    let whole = try TestStore("whole", in: folder.path)
    try whole.consolidate([export], fleet.keys)
    let store = try TestStore("store", in: folder.path)
    let child = try ChildProcess(
      Product.rasdkit,
      ["consolidate"] + store.options + fleet.keys + ["--progress", "json", export]
    )
    while Progress.share(in: child.errorsSoFar) < 0.5, child.isRunning { usleep(500) }
    child.send(signal: SIGKILL)
    try #require(child.wait().signal == SIGKILL, "it ended before it could be killed")

    let kept = try File.read(export)
    let changed = try Python.run(program: Self.change, [export, entry])
    try #require(changed.status == 0, "\(changed.errorText)")
    if entry == "reverse" {
      // Blobs may stand in any order.
      try store.consolidate([export], fleet.keys)
      #expect(try store.digest() == whole.digest())
      return
    }
    let refused = try Product.run(
      ["consolidate"] + store.options + fleet.keys + ["--quiet", export]
    )
    #expect(refused.status == 1)
    #expect(refused.errorText.contains("rasdkit: error: \(export): "), "\(refused.errorText)")
    try Data(kept).write(to: URL(filePath: export))
    try store.consolidate([export], fleet.keys)
    #expect(try store.digest() == whole.digest())
  }

  /// Writes an archive again without the last of the entries whose names begin so, or with its
  /// blobs in reverse.
  private static let change = """
    import sys, zipfile
    path, start = sys.argv[1:]
    old = zipfile.ZipFile(path)
    entries = [(i.filename, old.read(i)) for i in old.infolist()]
    last = ([name for name, _ in entries if name.startswith(start)] or [None])[-1]
    if start == "reverse":
        at = [i for i, (name, _) in enumerate(entries) if name.startswith("attachments/")]
        entries[at[0] : at[-1] + 1] = entries[at[0] : at[-1] + 1][::-1]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as new:
        for name, data in entries:
            if name != last: new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    """

  @Test("after a kill at 80 % little is read again", .containerTools)
  func continuesWhereItStood() throws {
    let folder = try TemporaryDirectory()
    let fleet = try Fleet(
      ["--seed", "8", "--devices", "2", "--rows", "400", "--photo-bytes", "20000"]
        + ["--photos", "1", "--slot", "key"],
      in: folder.path + "/fleet"
    )
    let exports = try fleet.exports
    let size = try exports.reduce(0) { try $0 + File.read($1).count }
    for sources in [exports, [exports[0]]] {
      let store = try killed(merging: sources, of: fleet, in: folder.path)
      let report = folder.path + "/continued-\(sources.count).jsonl"
      try store.consolidate(sources, fleet.keys + ["--report", report])
      let finished = try #require(try Events(report).last("run.finished"))
      let read = try #require(finished["bytes"] as? Int)
      let all = sources.count == 1 ? try File.read(exports[0]).count : size
      #expect(Double(read) <= 0.3 * Double(all), "\(read) of \(all) bytes were read again")
    }
  }
}

extension KillTests {
  /// A store whose run was killed when it had done 80 %; on a busy machine a run may end before it
  /// is seen to be that far, and is made again.
  private func killed(
    merging sources: [String],
    of fleet: Fleet,
    in folder: String
  ) throws -> TestStore {
    for attempt in 1...20 {
      let store = try TestStore("store-\(sources.count)-\(attempt)", in: folder)
      let child = try ChildProcess(
        Product.rasdkit,
        ["consolidate"] + store.options + fleet.keys + ["--progress", "json"] + sources
      )
      while Progress.share(in: child.errorsSoFar) < 0.8, child.isRunning { usleep(500) }
      child.send(signal: SIGKILL)
      if child.wait().signal == SIGKILL { return store }
    }
    throw NeverKilled()
  }

  private struct NeverKilled: Error {}
}

/// The progress events that a run writes to its standard error.
enum Progress {
  /// The last share done, 0 to 1.
  static func share(in errors: [UInt8]) -> Double {
    let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n")
    for line in lines.reversed() {
      guard let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let done = event["done"] as? Double, let total = event["total"] as? Double, total > 0
      else { continue }
      return done / total
    }
    return 0
  }
}

/// The events of a report.
struct Events {
  let all: [[String: Any]]

  /// Reads lines of JSON; each that is a report's must fit the report's schema.
  init(_ path: String) throws {
    let text = String(decoding: try File.read(path), as: UTF8.self)
    if text.hasPrefix("{\"event\":") { try Self.check(text) }
    // Bytewise: to Swift a CR before an LF makes another character of it.
    all = try text.utf8.split(separator: 0x0A).map { line in
      let event = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      return try #require(event)
    }
  }

  private static let schema = Result { try JSONSchema(file: "Docs/report.schema.json") }

  private static func check(_ report: String) throws {
    for line in report.split(separator: "\n") {
      let violations = try schema.get().violations(of: try JSONValue.parse(Array(line.utf8)))
      #expect(violations == [], "\(line)")
    }
  }

  func of(_ kind: String) -> [[String: Any]] { all.filter { $0["event"] as? String == kind } }
  func last(_ kind: String) -> [String: Any]? { of(kind).last }
}
