import Foundation
import TestSupport
import Testing

/// Cases from the field about a run's surroundings; full disks and kills have suites of their own.
@Suite(.serialized) struct CaseRunTests {
  @Test("read-only input folder", .containerTools)
  func inputsAreNeverTouched() throws {
    let cases = try CaseFolder(
      """
      row, item = photo("p", "s", bytes(500))
      export("one", [sub("s", attachments=[item])], atts=[row], blobs={"p": bytes(500)})
      export("two", [sub("t")], namespace="wfp-jo.u_2")
      whole = (FOLDER / "one.rasdx").read_bytes()
      (FOLDER / "cut.rasdx").write_bytes(whole[: len(whole) // 2])
      """
    )
    let inputs = cases.folder.path + "/inputs"
    // Root writes where it likes but on a disk mounted read-only.
    let disk = Tmpfs.works ? try Tmpfs(bytes: 8 << 20, at: inputs) : nil
    try FileManager.default.createDirectory(atPath: inputs, withIntermediateDirectories: true)
    for name in ["one.rasdx", "two.rasdx", "cut.rasdx", "raw.key"] {
      try FileManager.default.copyItem(atPath: cases.path(name), toPath: inputs + "/" + name)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: inputs)
    try disk?.makeReadOnly()
    let before = try FileTree(of: inputs)
    let key = ["--key-file", inputs + "/raw.key"]
    let outputs = cases.folder.path
    for (words, status) in [
      (["verify", inputs] + key, 1), (["inspect", inputs + "/one.rasdx"], 0),
      (["consolidate", inputs] + key + cases.store.options, 1),
      (["salvage", inputs + "/cut.rasdx", "--to", outputs + "/salvaged"] + key, 1),
      (
        ["migrate", inputs + "/one.rasdx", "--to", outputs + "/new.rasdx"]
          + ["--to-key-file", inputs + "/raw.key"] + key, 0
      ),
    ] as [([String], Int32)] {
      let result = try Product.run(words + ["--quiet"])
      #expect(result.status == status, "\(words[0]): \(result.errorText)")
      #expect(try FileTree(of: inputs) == before, "\(words[0])")
    }
    #expect(try cases.rows("submissions").count == 2)
  }

  @Test("two runs on one store", .containerTools)
  func twoRuns() throws {
    let cases = try CaseFolder(
      """
      export("big", [sub(f"s{i}", data={"t": "x" * 3000, "i": i}) for i in range(4000)])
      export("small", [sub("t")], namespace="wfp-jo.u_2")
      """
    )
    let words =
      ["consolidate", "--quiet"] + cases.store.options + ["--key-file", cases.path("raw.key")]
    let first = try ChildProcess(Product.rasdkit, words + [cases.path("big.rasdx")])
    while !FileManager.default.fileExists(atPath: cases.store.path + "/store.db-wal"),
      first.isRunning
    { usleep(2_000) }
    let second = try Product.run(words + [cases.path("small.rasdx")])
    try #require(first.isRunning, "the first run ended before the second began")
    #expect(second.status == 11)
    #expect(second.errorText.contains("another run is using the store"), "\(second.errorText)")
    #expect(second.errorText.contains("\(first.pid)"), "it names the holder: \(second.errorText)")
    #expect(second.errorText.hasSuffix("[RASD_STORAGE_LOCKED store-locked]\n"))
    #expect(first.wait().status == 0)
    #expect(try cases.consolidate(["small.rasdx"]).totals[0] == 1)
    #expect(try cases.rows("submissions").count == 4001)
  }
}
