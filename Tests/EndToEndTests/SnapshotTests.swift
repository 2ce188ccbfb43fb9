import Foundation
import TestSupport
import Testing

/// What a person reads, word for word; `RASDKIT_RECORD=1` writes it anew.
@Suite struct SnapshotTests {
  static let commands = [
    "verify", "consolidate", "salvage", "migrate", "export", "inspect", "check", "sources", "keys",
    "digest", "run",
  ]

  @Test func overview() throws {
    try compare(try Product.run(["--help"]).outputText, with: "help.txt")
  }

  @Test("help of a command", arguments: commands)
  func help(_ command: String) throws {
    let result = try Product.run([command, "--help"])
    #expect(result.status == 0)
    try compare(result.outputText, with: "help-\(command).txt")
  }

  @Test func errors() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("", to: "empty.rasdx")
    _ = try folder.write("PK and no more", to: "stub.rasdx")
    _ = try folder.write("notes", to: "notes.txt")
    let runs = [
      [], ["verfy"], ["verify"], ["verify", "--passphrase-fil", "x"],
      ["verify", "--jobs", "x", "y"],
      ["verify", "nowhere"], ["verify", "empty.rasdx"], ["verify", "stub.rasdx"],
      ["verify", "nowhere", "empty.rasdx", "stub.rasdx"], ["consolidate", "empty.rasdx"],
      ["digest", "--store", "nowhere", "--store-key-file", "notes.txt"],
      ["digest", "--store", "nowhere"], ["inspect", "notes.txt"], ["run", "notes.txt"], ["run"],
      ["sources", "frobnicate"], ["keys", "add", "--store", "nowhere"],
      ["keys", "identity", "--to", "notes.txt"],
      ["export", "--store", "nowhere", "--to", "x", "--status", "finalised"],
      ["migrate", "empty.rasdx", "--to", "x"],
    ]
    let text = try runs.map { words in
      let result = try Product.run(words, directory: folder.path)
      return "$ rasdkit \(words.joined(separator: " "))\n\(result.outputText)\(result.errorText)"
        + "exit \(result.status)\n"
    }.joined(separator: "\n")
    try compare(text, with: "errors.txt")
  }

  @Test func versionsAreListed() throws {
    let result = try Product.run(["--version"])
    let names = result.lines.map { $0.prefix { $0 != " " } }
    #expect(names == ["rasdkit", "sqlcipher", "sqlite", "openssl", "libzip", "libarchive"])
    #expect(result.lines.allSatisfy { $0.split(separator: " ").count >= 2 })
  }

  private func compare(_ text: String, with name: String) throws {
    let path = Checkout.path("Tests/EndToEndTests/Snapshots/\(name)")
    if ProcessInfo.processInfo.environment["RASDKIT_RECORD"] == "1" {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(text == String(decoding: try File.read(path), as: UTF8.self), "\(name)")
  }
}
