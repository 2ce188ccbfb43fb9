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
}
