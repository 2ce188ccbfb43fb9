import Foundation
import TestSupport
import Testing

/// Fleets whose right answer is known from an independent program.
@Suite struct RightAnswerTests {
  struct Shape: CustomTestStringConvertible {
    let seed: Int
    let bad: Bool

    /// Every seed meets another number of devices, way of writing ZIPs, slot kind and suite.
    var arguments: [String] {
      let slots = [[], ["--slot", "passphrase"], ["--slot", "key"], ["--slot", "x25519"]]
      let suites = ["c2sp-chunked-aes256gcm-sha512", "a256gcm-envelope"]
      return [
        "--seed", "\(seed)", "--devices", "\(2 + seed % 6)", "--rows", "30",
        "--photo-bytes", "3000", "--zip-style", seed % 3 == 0 ? "plain" : "mixed",
        "--suite", suites[seed / 4 % 2],
      ] + slots[seed % 4] + (bad ? ["--bad"] : [])
    }

    var testDescription: String { "seed \(seed)\(bad ? ", bad" : "")" }
  }

  static let shapes = (1...Soak.rounds(short: 4, long: 40)).flatMap { seed in
    [Shape(seed: seed, bad: false), Shape(seed: seed, bad: true)]
  }

  @Test("the answer of a made fleet", .containerTools, arguments: shapes)
  func answers(_ shape: Shape) throws {
    let folder = try TemporaryDirectory()
    let fleet = try Fleet(shape.arguments, in: folder.path + "/fleet")
    let status: Int32 = shape.bad ? 1 : 0
    let exports = try fleet.exports

    let store = try TestStore("store", in: folder.path)
    let report = folder.path + "/report.jsonl"
    try store.consolidate(exports, fleet.keys + ["--report", report], status: status)
    try compare(store, with: fleet, report: report, in: folder.path)
    let digest = try store.digest()

    // Three orders, one answer.
    for (name, order) in [
      ("reversed", Array(exports.reversed())), ("rotated", Array(exports[1...] + exports[..<1])),
    ] {
      let other = try TestStore(name, in: folder.path)
      for export in order {
        _ = try Product.run(["consolidate"] + other.options + fleet.keys + ["--quiet", export])
      }
      #expect(try other.digest() == digest, "order: \(name)")
    }

    // Two halves on two machines, then their stores.
    let half = exports.count / 2
    let left = try TestStore("left", in: folder.path)
    let right = try TestStore("right", in: folder.path)
    _ = try Product.run(
      ["consolidate"] + left.options + fleet.keys + ["--quiet"] + exports[..<half]
    )
    _ = try Product.run(
      ["consolidate"] + right.options + fleet.keys + ["--quiet"] + exports[half...]
    )
    _ = try Product.run(["consolidate"] + left.options + ["--quiet", right.path])
    #expect(try left.digest() == digest, "two half-stores merged")

    // The same again changes nothing.
    let again = folder.path + "/again.jsonl"
    try store.consolidate(exports, fleet.keys + ["--report", again], status: status)
    #expect(try store.digest() == digest, "the same exports again")

    // A store's own export, into an empty store.
    let sealed = folder.path + "/store.rasdx"
    try store.run("export", ["--to", sealed, "--to-key-file", store.keyFile])
    let copy = try TestStore("copy", in: folder.path)
    _ = try Product.run(
      ["consolidate"] + copy.options + ["--key-file", store.keyFile, "--quiet", sealed]
    )
    #expect(try copy.digest() == digest, "a store's own export")
  }

  private func compare(
    _ store: TestStore,
    with fleet: Fleet,
    report: String,
    in folder: String
  ) throws {
    let rows = folder + "/rows"
    try store.run("export", ["--to", rows, "--format", "jsonl"])
    let compared = try Python.run(
      program: try Tools.text("compare_fleet.py"),
      [fleet.truth, rows, report]
    )
    #expect(compared.status == 0, "\(compared.outputText)\(compared.errorText)")
  }
}

/// Programs of the tests themselves.
enum Tools {
  static func text(_ name: String) throws -> String {
    String(
      decoding: try File.read(Checkout.path("Tests/EndToEndTests/Tools/" + name)),
      as: UTF8.self
    )
  }
}
