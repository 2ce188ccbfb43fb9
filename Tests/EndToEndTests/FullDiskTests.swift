import Foundation
import TestSupport
import Testing

/// A disk that fills up costs nothing but the run.
@Suite(.serialized) struct FullDiskTests {
  @Test(
    "a full disk at ten points, then room",
    .containerTools,
    .enabled(if: Tmpfs.works, Tmpfs.why)
  )
  func fullAnywhere() throws {
    let folder = try TemporaryDirectory()
    let fleet = try Fleet(
      ["--seed", "9", "--devices", "3", "--rows", "30", "--photos", "1", "--slot", "key"]
        + ["--photo-bytes", "40000"],
      in: folder.path + "/fleet"
    )
    let exports = try fleet.exports
    let whole = try TestStore("whole", in: folder.path)
    try whole.consolidate(exports, fleet.keys)
    let digest = try whole.digest()
    let bytes = try FileTree(of: whole.path).entries.values.reduce(0) { $0 + $1.bytes.count }

    var full = 0
    for point in 1...10 {
      let disk = try Tmpfs(
        bytes: max(64 << 10, bytes * point / 10),
        at: folder.path + "/disk-\(point)"
      )
      let store = try TestStore("disk-\(point)/store", in: folder.path)
      let first = try Product.run(
        ["consolidate"] + store.options + fleet.keys + ["--quiet"] + exports
      )
      if first.status == 13 {
        full += 1
        #expect(first.errorText.contains("[RASD_STORAGE_QUOTA disk-full]"), "\(first.errorText)")
      } else {
        #expect(first.status == 0, "point \(point): \(first.errorText)")
      }
      try disk.grow(to: bytes * 4 + (8 << 20))
      if FileManager.default.fileExists(atPath: store.path + "/store.db") {
        try store.run("check", [])
      }
      try store.consolidate(exports, fleet.keys)
      #expect(try store.digest() == digest, "point \(point)")
    }
    #expect(full >= 5, "the disk was full only \(full) times")
  }
}

/// A small disk in memory, unmounted when the test lets go.
final class Tmpfs {
  let path: String

  init(bytes: Int, at path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let mounted = try Self.mount(["-t", "tmpfs", "-o", "size=\(bytes),mode=0700", "tmpfs", path])
    try #require(mounted == 0)
  }

  deinit { _ = try? ChildProcess.run("/bin/umount", ["-l", path]) }

  func grow(to bytes: Int) throws {
    try #require(try Self.mount(["-o", "remount,size=\(bytes)", path]) == 0)
  }

  func makeReadOnly() throws { try #require(try Self.mount(["-o", "remount,ro", path]) == 0) }

  private static func mount(_ arguments: [String]) throws -> Int32 {
    try ChildProcess.run("/bin/mount", arguments).status
  }

  static let why: Comment = "skipped: a tmpfs cannot be mounted here (it needs root)"
  static let works: Bool = {
    guard let folder = try? TemporaryDirectory() else { return false }
    return (try? Tmpfs(bytes: 1 << 20, at: folder.path + "/disk")) != nil
  }()
}
