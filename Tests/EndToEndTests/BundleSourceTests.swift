import Foundation
import TestSupport
import Testing

/// Exports that come in an archive or through a pipe are the exports themselves.
@Suite struct BundleSourceTests {
  private static func pack(_ name: String, _ folder: String) throws -> Bool {
    let words: [String] =
      switch name {
      case "b.tar": ["tar", "cf", name, "-C", "fleet", "exports"]
      case "b.tar.gz": ["tar", "czf", name, "-C", "fleet", "exports"]
      case "b.tar.zst": ["tar", "--zstd", "-cf", name, "-C", "fleet", "exports"]
      default: ["python3", "-m", "zipfile", "-c", name, "fleet/exports"]
      }
    return try ChildProcess.run("/usr/bin/env", words, directory: folder).status == 0
  }

  @Test("each form of archive, as a file and through a pipe", .containerTools)
  func sameDigest() throws {
    let folder = try TemporaryDirectory()
    let fleet = try Fleet(
      ["--seed", "12", "--devices", "2", "--rows", "10", "--photo-bytes", "2000"],
      in: folder.path + "/fleet"
    )
    let plain = try TestStore("plain", in: folder.path)
    try plain.consolidate(try fleet.exports, fleet.keys)
    let digest = try plain.digest()
    var packed = 0
    for name in ["b.tar", "b.tar.gz", "b.tar.zst", "b.zip"] {
      guard try Self.pack(name, folder.path) else {
        print("skipped: nothing here makes \(name)")
        continue
      }
      packed += 1
      let store = try TestStore("from-\(name)", in: folder.path)
      try store.consolidate([folder.path + "/" + name], fleet.keys)
      #expect(try store.digest() == digest, "\(name)")

      let piped = try TestStore("piped-\(name)", in: folder.path)
      let result = try Product.run(
        ["consolidate"] + piped.options + fleet.keys + ["--quiet", "-"],
        input: try File.read(folder.path + "/" + name)
      )
      #expect(result.status == 0, "\(name): \(result.errorText)")
      #expect(try piped.digest() == digest, "\(name) through a pipe")
      #expect(FileTree.paths(under: piped.path + "/spool").isEmpty)
    }
    #expect(packed > 0)
  }
}
