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

  private static func isTemporary(_ path: String) -> Bool {
    path.hasSuffix(".tmp") || path.contains("/spool/") || path.hasSuffix("-journal")
  }

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
      let store = try TestStore("store-\(sources.count)", in: folder.path)
      let child = try ChildProcess(
        Product.rasdkit,
        ["consolidate"] + store.options + fleet.keys + ["--progress", "json"] + sources
      )
      while Progress.share(in: child.errorsSoFar) < 0.8, child.isRunning { usleep(500) }
      child.send(signal: SIGKILL)
      try #require(child.wait().signal == SIGKILL, "it ended before it could be killed")

      let report = folder.path + "/continued-\(sources.count).jsonl"
      try store.consolidate(sources, fleet.keys + ["--report", report])
      let finished = try #require(try Events(report).last("run.finished"))
      let read = try #require(finished["bytes"] as? Int)
      let all = sources.count == 1 ? try File.read(exports[0]).count : size
      #expect(Double(read) <= 0.3 * Double(all), "\(read) of \(all) bytes were read again")
    }
  }
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
    all = try text.split(separator: "\n").map { line in
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
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
