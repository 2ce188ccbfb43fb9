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

  @Test("the child that unpacks may use what is open to it and nothing else")
  func confined() throws {
    let folder = try TemporaryDirectory()
    let made = try Python.run(program: Self.manyMembers, [folder.file("many.tar")])
    try #require(made.status == 0, "\(made.errorText)")
    let child = try ChildProcess(Product.rasdkit, ["verify", "--quiet", folder.file("many.tar")])
    var filter: String?
    while child.isRunning, filter != "2" { filter = Self.filterOfUnpacker() ?? filter }
    #expect(filter == "2", "\(filter ?? "no unpacker was seen")")
    #expect(child.wait().status == 3)
  }

  /// What the kernel says of a running unpacker's calls: 2 where a filter judges each.
  private static func filterOfUnpacker() -> String? {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for process in processes where Int(process) != nil {
      let words = (try? File.read("/proc/\(process)/cmdline")) ?? []
      guard String(decoding: words, as: UTF8.self).contains("--unpack-bundle") else { continue }
      let status = (try? File.lines("/proc/\(process)/status")) ?? []
      let line = status.map { String(decoding: $0, as: UTF8.self) }
        .first { $0.hasPrefix("Seccomp:") }
      if let line { return line.split(separator: "\t").last.map(String.init) }
    }
    return nil
  }

  private static let manyMembers = """
    import io, sys, tarfile
    with tarfile.open(sys.argv[1], "w") as tar:
        for i in range(40000):
            entry = tarfile.TarInfo(f"folder/{i:06}")
            entry.size = 1
            tar.addfile(entry, io.BytesIO(b"x"))
    """
}

/// A damaged export gives up what is whole of it, and is refused by every other command.
@Suite struct DamagedExportTests {
  @Test("cut in the middle: rows, photos and what is missing", .containerTools)
  func cut() throws {
    let cases = try CaseFolder(
      """
      rows, atts, blobs = [], [], {}
      for i in range(120):
          data = RNG.randbytes(9000)
          row, item = photo(f"p{i}", f"s{i}", data)
          atts.append(row); blobs[f"p{i}"] = data
          rows.append(sub(f"s{i}", data={"i": i}, attachments=[item]))
      export("whole", rows, atts=atts, blobs=blobs, row_part=6000)
      whole = (FOLDER / "whole.rasdx").read_bytes()
      (FOLDER / "cut.rasdx").write_bytes(whole[: len(whole) // 2])
      """
    )
    #expect(try cases.consolidate(["cut.rasdx"], status: 1).refusals == ["cut.rasdx": "truncated"])
    let target = cases.folder.path + "/got"
    let report = cases.folder.path + "/salvage.jsonl"
    let before = try FileTree(of: cases.path("cut.rasdx"))
    let result = try Product.run([
      "salvage", "--key-file", cases.path("raw.key"), "--to", target, "--report", report, "--quiet",
      cases.path("cut.rasdx"),
    ])
    #expect(result.status == 1, "\(result.errorText)")
    #expect(try FileTree(of: cases.path("cut.rasdx")).changes(since: before) == [])
    let rows = try Events(target + "/rows/submissions.jsonl").all
    #expect(rows.count == 120 && rows.allSatisfy { $0["grade"] as? String == "verified" })
    let photos = FileTree.paths(under: target + "/attachments")
    #expect(photos.count > 20 && photos.count < 120)
    #expect(try Events(report).last("run.finished")?["exit"] as? Int == 1)
    #expect(try Events(report).findings.contains("entry-damaged"))
  }

  @Test("a wrong key is no damage", .containerTools)
  func wrongKey() throws {
    let cases = try CaseFolder(
      """
      export("one", [sub("s")])
      """
    )
    let result = try Product.run([
      "salvage", "--key-file", cases.store.keyFile, "--to", cases.folder.path + "/got",
      cases.path("one.rasdx"),
    ])
    #expect(result.status == 12, "\(result.errorText)")
  }
}
