import Foundation
import TestSupport
import Testing

/// The shipped recipes run as they are on the shipped samples.
struct RecipeTests {
  let folder: TemporaryDirectory
  let samples: FileTree

  /// Recipes and samples side by side, as in a checkout, with an empty `out`.
  init() throws {
    folder = try TemporaryDirectory()
    for name in ["Recipes", "Samples"] {
      try FileManager.default.copyItem(atPath: Checkout.path(name), toPath: folder.file(name))
    }
    try FileManager.default.createDirectory(
      atPath: folder.file("out"),
      withIntermediateDirectories: false
    )
    samples = try FileTree(of: folder.file("Samples"))
  }

  private func run(_ recipe: String) throws -> ChildProcess.Result {
    try Product.run(["run", folder.file("Recipes/" + recipe), "--quiet"])
  }

  private func expectSamplesUntouched() throws {
    #expect(try FileTree(of: folder.file("Samples")).changes(since: samples) == [])
  }

  @Test func consolidateEnumerators() throws {
    let first = try run("consolidate-enumerators.json")
    #expect(first.status == 0, "\(first.errorText)")
    #expect(
      first.lines.last == "164 imported + 73 skipped + 1 conflicts + 0 rejected = 238 rows read"
    )
    let again = try run("consolidate-enumerators.json")
    #expect(again.status == 0, "\(again.errorText)")
    #expect(
      again.lines.last == "0 imported + 238 skipped + 0 conflicts + 0 rejected = 238 rows read"
    )
    try expectSamplesUntouched()
  }

  @Test func replaceDevice() throws {
    let run = try run("replace-device.json")
    #expect(run.status == 0, "\(run.errorText)")
    let target = folder.file("out/replacement.rasdx")
    let verified = try Product.run([
      "verify", "--quiet", "--identity", folder.file("Samples/replaced/keys/new-device.pem"),
      target,
    ])
    #expect(verified.status == 0, "\(verified.errorText)")
    let written = try FileTree(of: folder.file("out"))
    // Recipes cannot overwrite: the second run is refused and leaves the first one's files.
    #expect(try self.run("replace-device.json").status != 0)
    #expect(try FileTree(of: folder.file("out")).changes(since: written) == [])
    try expectSamplesUntouched()
  }

  @Test func salvageIncident() throws {
    let run = try run("salvage-incident.json")
    #expect(run.status == 1, "\(run.errorText)")
    let rows = try folder.read("out/incident/rows/submissions.jsonl").split(separator: 0x0A)
    var counts: [String: Int] = [:]
    for row in rows {
      let line = try #require(try JSONSerialization.jsonObject(with: Data(row)) as? [String: Any])
      counts["\(try #require(line["kind"] as? String))", default: 0] += 1
      counts["\(try #require(line["grade"] as? String))", default: 0] += 1
    }
    // Of 60, six stood on the page that is zeros now, and four were deleted, one beyond recovery.
    #expect(
      counts == [
        "live": 50, "freeblock": 3, "verified": 40, "intact": 7, "doubtful": 3, "contradicted": 3,
      ]
    )
    try expectSamplesUntouched()
  }
}
