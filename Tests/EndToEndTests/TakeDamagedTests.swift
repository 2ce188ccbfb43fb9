import Foundation
import RasdModel
import TestSupport
import Testing

/// `consolidate --take-damaged`: what verifies on its own in an export that is not whole.
@Suite struct TakeDamagedTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A fleet whose largest export is cut, or has a hole in it.
  private func fleet(_ hurt: (inout [UInt8]) -> Void) throws -> (Fleet, damaged: String) {
    let fleet = try Fleet(
      ["--devices", "3", "--rows", "120", "--seed", "8"],
      in: folder.file("fleet")
    )
    let all = try fleet.exports.map { ($0, try File.read($0)) }
    let (path, whole) = try #require(all.max { $0.1.count < $1.1.count })
    try folder.write(whole, to: "whole/whole.rasdx")
    var bytes = whole
    hurt(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
    return (fleet, path)
  }

  private func submissions(_ store: TestStore, _ name: String) throws -> Set<[UInt8]> {
    try store.run("export", ["--quiet", "--format", "jsonl", "--to", folder.file(name)])
    return Set(
      try folder.read("\(name)/submissions.jsonl").split(separator: 0x0A).map { Array($0) }
    )
  }

  private func ids(_ lines: Set<[UInt8]>) throws -> Set<String> {
    Set(try lines.map { try #require(try JSONValue.parse($0)["id"]?.string) })
  }

  private func consolidate(
    _ store: TestStore,
    _ fleet: Fleet,
    _ sources: [String],
    _ options: [String] = []
  ) throws -> ChildProcess.Result {
    try Product.run(
      ["consolidate"] + store.options + fleet.keys + options + sources
    )
  }

  @Test(
    "rows of a damaged export enter where they are asked for, and only those of the whole one",
    .databaseTools,
    arguments: [true, false]
  )
  func enter(isCut: Bool) throws {
    let (fleet, damaged) = try fleet { bytes in
      if isCut {
        bytes.removeLast(bytes.count / 3)
      } else {
        for i in bytes.count / 3..<(bytes.count / 3 + 3000) { bytes[i] = 0 }
      }
    }
    let sources = try fleet.exports
    let without = try TestStore("without", in: folder.path)
    let refused = try consolidate(without, fleet, sources)
    #expect(refused.status == 1, "\(refused.errorText)")
    let few = try ids(submissions(without, "few.lines"))

    let whole = try TestStore("all", in: folder.path)
    let others = sources.filter { $0 != damaged } + [folder.file("whole/whole.rasdx")]
    #expect(try consolidate(whole, fleet, others).status == 0)
    let all = try submissions(whole, "all.lines")

    let store = try TestStore("store", in: folder.path)
    let report = folder.file("report.jsonl")
    let taken = try consolidate(store, fleet, sources, ["--take-damaged", "--report", report])
    #expect(taken.status == 1, "\(taken.errorText)")
    let some = try ids(submissions(store, "some.lines"))
    #expect(some.isStrictSuperset(of: few))
    #expect(try some.isSubset(of: ids(all)))
    let schema = try JSONSchema(file: "Docs/report.schema.json")
    for line in try File.read(report).split(separator: 0x0A) {
      #expect(schema.violations(of: try JSONValue.parse(Array(line))) == [])
    }

    let alone = try TestStore("alone", in: folder.path)
    #expect(try consolidate(alone, fleet, [damaged], ["--take-damaged"]).status == 1)
    #expect(try ids(submissions(alone, "alone.lines")).union(few) == some)

    // The same again is known; the whole copy adds what is missing.
    let digest = try store.digest()
    #expect(try consolidate(store, fleet, sources, ["--take-damaged"]).status == 1)
    #expect(try store.digest() == digest)
    #expect(try consolidate(store, fleet, [folder.file("whole/whole.rasdx")]).status == 0)
    #expect(try submissions(store, "again.lines") == all)
  }

  @Test("what is left of an export replaces nothing", .databaseTools)
  func replacesNothing() throws {
    let (fleet, damaged) = try fleet { $0.removeLast($0.count / 3) }
    let store = try TestStore("store", in: folder.path)
    #expect(try consolidate(store, fleet, [folder.file("whole/whole.rasdx")]).status == 0)
    let before = try store.digest()
    let options = ["--take-damaged", "--mode", "replace"]
    let refused = try consolidate(store, fleet, [damaged], options)
    #expect(refused.status == 1, "\(refused.errorText)")
    #expect(refused.errorText.contains("cannot-replace"))
    #expect(try store.digest() == before)
  }

  @Test("what was salvaged replaces nothing, sealed anew for another device or not", .databaseTools)
  func salvagedReplacesNothing() throws {
    let (fleet, damaged) = try fleet { $0.removeLast($0.count / 3) }
    let store = try TestStore("store", in: folder.path)
    #expect(try consolidate(store, fleet, [folder.file("whole/whole.rasdx")]).status == 0)
    let before = try store.digest()
    let mine = ["--to-key-file", store.keyFile]
    let salvaged = try Product.run(
      ["salvage", "--quiet", "--to", folder.file("left.rasdx")] + mine + fleet.keys + [damaged]
    )
    #expect(salvaged.status == 1, "\(salvaged.errorText)")
    let migrated = try Product.run(
      ["migrate", "--quiet", "--to", folder.file("new.rasdx"), "--key-file", store.keyFile] + mine
        + [folder.file("left.rasdx")]
    )
    #expect(migrated.status == 0, "\(migrated.errorText)")
    for name in ["left.rasdx", "new.rasdx"] {
      let options = ["--mode", "replace", "--key-file", store.keyFile]
      let refused = try consolidate(store, fleet, [folder.file(name)], options)
      #expect(refused.status == 1, "\(refused.errorText)")
      #expect(refused.errorText.contains("cannot-replace"))
      #expect(try store.digest() == before)
    }
  }

  @Test("a disk without room is told of before the work", .databaseTools)
  func room() throws {
    let (fleet, _) = try fleet { _ in }
    // No byte is ever free there.
    let store = try TestStore("store", in: folder.path)
    let run = try Product.run(
      ["consolidate", "--dry-run", "--strict", "--store", "/proc/none/store"]
        + ["--store-key-file", store.keyFile] + fleet.keys + (try fleet.exports)
    )
    #expect(run.status == 1 && run.errorText.contains("space-short"), "\(run.errorText)")
  }
}
