import Foundation
import TestSupport
import Testing

/// A made fleet of exports with its keys and its known answer, and runs of `rasdkit` on it.
struct Fleet {
  let folder: String

  /// Fewer PBKDF2 iterations than a phone writes: the test is about rows.
  init(_ arguments: [String], in folder: String, iterations: Int = 100_000) throws {
    self.folder = folder
    let made = try Python.run(
      "fleet.py",
      [folder, "--iterations", "\(iterations)"] + arguments
    )
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// An earlier fleet's folder.
  init(at folder: String) { self.folder = folder }

  var truth: String { folder + "/truth.json" }

  var exports: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder + "/exports")
        .sorted().map { folder + "/exports/" + $0 }
    }
  }

  var keys: [String] {
    [
      "--passphrase-file", folder + "/keys/passphrase.txt", "--key-file", folder + "/keys/raw.key",
      "--identity", folder + "/keys/identity.txt",
    ]
  }
}

/// A store made by a test, with its key in a file beside it.
struct TestStore {
  let path: String
  let keyFile: String

  init(_ name: String, in folder: String) throws {
    path = folder + "/" + name
    keyFile = folder + "/store.key"
    if !FileManager.default.fileExists(atPath: keyFile) {
      let digits = (0..<32).map { String(format: "%02x", $0 * 7 % 256) }.joined()
      _ = FileManager.default.createFile(
        atPath: keyFile,
        contents: Data(digits.utf8),
        attributes: [.posixPermissions: 0o600]
      )
    }
  }

  var options: [String] { ["--store", path, "--store-key-file", keyFile] }

  @discardableResult
  func consolidate(
    _ sources: [String],
    _ options: [String] = [],
    status: Int32 = 0
  ) throws -> ChildProcess.Result {
    try run("consolidate", options + ["--quiet"] + sources, status: status)
  }

  /// The one line that names the store's content.
  func digest() throws -> String {
    let line = try run("digest", []).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    try #require(!line.isEmpty)
    return line
  }

  @discardableResult
  func run(
    _ command: String,
    _ arguments: [String],
    status: Int32 = 0
  ) throws -> ChildProcess.Result {
    let result = try Product.run([command] + options + arguments)
    try #require(
      result.status == status,
      "\(command) ended with \(result.status), not \(status): \(result.errorText)"
    )
    return result
  }
}
