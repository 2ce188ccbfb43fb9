import Foundation
import TestSupport
import Testing

/// Nothing private stands anywhere but where it was asked for.
@Suite struct LeakTests {
  static let marker = "ZqXmarker7719"
  static let secret = "PqWphrase3301 قصير"

  @Test("markers are in no file of the store, report, temporary folder or core", .containerTools)
  func noMarkerAnywhere() throws {
    let folder = try TemporaryDirectory()
    let passphrase = try folder.write(Self.secret, to: "keys/passphrase")
    let storePhrase = try folder.write("StPhrase8812 " + Self.secret, to: "keys/store-passphrase")
    unsafe chmod(passphrase, 0o600)
    unsafe chmod(storePhrase, 0o600)
    let export = folder.path + "/marked.rasdx"
    let made = try Python.run(
      program: try Tools.text("marked_export.py"),
      [export, passphrase, Self.marker]
    )
    try #require(made.status == 0, "\(made.errorText)")
    var random = SeededGenerator(for: "noMarkerAnywhere")

    for round in 0..<Soak.rounds(short: 6, long: 40) {
      let place = folder.path + "/round-\(round)"
      try FileManager.default.createDirectory(
        atPath: place + "/tmp",
        withIntermediateDirectories: true
      )
      let arguments = [
        "consolidate", "--store", place + "/store", "--store-passphrase-file", storePhrase,
        "--passphrase-file", passphrase, "--report", place + "/report.jsonl", "--rows", "all",
        export,
      ]
      let child = try ChildProcess(
        Product.rasdkit,
        arguments,
        environment: ["TMPDIR": place + "/tmp"],
        directory: place,
        limits: .init(coreDumps: true)
      )
      if round > 0 {
        usleep(UInt32.random(in: 0...1_500_000, using: &random))
        child.send(signal: [SIGKILL, SIGABRT, SIGSEGV][round % 3])
      }
      let result = child.wait()
      if round == 0 { #expect(result.status == 1, "\(result.errorText)") }
      for text in [result.outputText, result.errorText] {
        #expect(!text.contains(Self.marker) && !text.contains("phrase"), "\(text)")
      }

      let tree = try FileTree(of: place)
      #expect(
        tree.paths(holding: [Self.marker, Self.secret, "PqWphrase3301", "StPhrase8812"]) == []
      )
      for (path, entry) in tree.entries where path.hasPrefix("store") {
        #expect(entry.mode == (entry.isDirectory ? 0o700 : 0o600), "\(path)")
      }
      if let database = tree.entries["store/store.db"], database.bytes.count >= 16 {
        #expect(!Array(database.bytes.prefix(16)).holds(Array("SQLite format 3".utf8)))
        #expect(
          Set(database.bytes.prefix(16)).count > 4,
          "store.db does not start with random bytes"
        )
      }
      if let report = tree.entries["report.jsonl"] { #expect(report.mode == 0o600) }
    }
  }

  @Test("values come into a report only where asked for", .containerTools)
  func valuesOnRequest() throws {
    let folder = try TemporaryDirectory()
    let passphrase = try folder.write(Self.secret, to: "passphrase")
    let export = folder.path + "/marked.rasdx"
    let made = try Python.run(
      program: try Tools.text("marked_export.py"),
      [export, passphrase, Self.marker, "20"]
    )
    try #require(made.status == 0, "\(made.errorText)")
    let store = try TestStore("store", in: folder.path)
    let report = folder.path + "/report.jsonl"
    try store.consolidate(
      [export],
      ["--passphrase-file", passphrase, "--report", report, "--rows", "all", "--include-values"],
      status: 1
    )
    #expect(try File.read(report).holds(Array(Self.marker.utf8)))
  }
}
