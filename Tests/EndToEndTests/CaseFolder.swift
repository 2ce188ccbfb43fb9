import Foundation
import TestSupport
import Testing

/// A folder with the exports of one case from the field and a store to put them in.
struct CaseFolder {
  let folder: TemporaryDirectory
  let store: TestStore

  /// `program` are lines of Python in the words of `Tools/case_exports.py`.
  init(_ program: String) throws {
    folder = try TemporaryDirectory()
    store = try TestStore("store", in: folder.path)
    let made = try Python.run(
      program: Tools.text("case_exports.py") + "\n" + program,
      [folder.path + "/in"]
    )
    try #require(made.status == 0, "\(made.errorText)")
  }

  func path(_ name: String) -> String { folder.path + "/in/" + name }

  /// Consolidates the named exports (all of them in one run) and gives the report.
  @discardableResult
  func consolidate(
    _ names: [String],
    _ options: [String] = [],
    status: Int32 = 0
  ) throws -> Events {
    let report = folder.path + "/report-\(UInt32.random(in: 0...(.max))).jsonl"
    try store.consolidate(
      names.map { path($0) },
      ["--key-file", path("raw.key"), "--report", report] + options,
      status: status
    )
    return try Events(report)
  }

  /// What a person reads on standard error when a command is run in the folder of the exports with
  /// their key, a line each; of a store that has one slot everybody is warned.
  func words(of command: [String], status: Int32) throws -> [String] {
    let result = try Product.run(
      command + ["--quiet", "--key-file", "raw.key"],
      directory: folder.path + "/in"
    )
    #expect(result.status == status, "\(result.errorText)")
    return result.errorText.split(separator: "\n").map(String.init)
      .filter { !$0.hasSuffix("[single-slot]") }
  }

  /// What a reader sees, by table: the lines of the JSONL export.
  func rows(_ table: String) throws -> [[String: Any]] {
    let target = folder.path + "/rows-\(UInt32.random(in: 0...(.max)))"
    try store.run("export", ["--to", target, "--format", "jsonl"])
    return try Events(target + "/\(table).jsonl").all
  }

  /// The exact lines of a table.
  func lines(_ table: String) throws -> [[UInt8]] {
    let target = folder.path + "/rows-\(UInt32.random(in: 0...(.max)))"
    try store.run("export", ["--to", target, "--format", "jsonl"])
    return try File.read(target + "/\(table).jsonl").split(separator: 0x0A).map(Array.init)
  }
}

extension Events {
  /// The reasons of the findings, sorted.
  var findings: [String] { of("finding").compactMap { $0["reason"] as? String }.sorted() }

  /// The counts of the last line: imported, skipped, conflicts, rejected.
  var totals: [Int] {
    let end = last("run.finished") ?? [:]
    return ["imported", "skipped", "conflicts", "rejected"].map { end[$0] as? Int ?? -1 }
  }

  /// The reason each refused source was refused for, by the last component of its path.
  var refusals: [String: String] {
    of("source.refused").reduce(into: [:]) { found, event in
      let path = event["path"] as? String ?? ""
      found[URL(filePath: path).lastPathComponent] = event["reason"] as? String
    }
  }
}
