import Foundation
import RasdModel
import TestSupport
import Testing

/// A store whose files were hurt: what is lost is said, the rest is had, and a source that has it
/// brings it back.
@Suite struct LostBlobTests {
  /// One photo in several of the vault's parts, one in one, one of no bytes.
  private static let program = """
    rows, subs, blobs = [], [], {}
    for id, data in {"large": b"l" * 9_000_000, "small": b"s" * 5000, "none": b""}.items():
        row, item = photo(id, f"s-{id}", data, "uploaded"); rows.append(row); blobs[id] = data
        subs.append(sub(f"s-{id}", "synced", attachments=[item]))
    export("one", subs, atts=rows, blobs=blobs)
    export("two", [sub("b")], namespace="wfp-jo.u_2")
    """

  enum Harm: String, CaseIterable { case gone, cut, flipped, folder }

  /// Hurts the largest file of the vault or the smallest.
  private func hurt(_ store: TestStore, _ harm: Harm, largest: Bool) throws {
    let files = try FileTree(of: store.path + "/blobs").entries.filter { !$0.value.isDirectory }
      .sorted { $0.value.bytes.count < $1.value.bytes.count }
    let (name, file) = try #require(largest ? files.last : files.first)
    let path = store.path + "/blobs/" + name
    var bytes = file.bytes
    switch harm {
    case .gone, .folder: try FileManager.default.removeItem(atPath: path)
    case .cut: bytes.removeLast(3)
    case .flipped: bytes[bytes.count - 20] ^= 4
    }
    if harm == .cut || harm == .flipped { try Data(bytes).write(to: URL(filePath: path)) }
    if harm == .folder {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
  }

  @Test(
    "the source that brought a blob brings it again",
    .containerTools,
    arguments: Harm.allCases,
    [true, false]
  )
  func heals(_ harm: Harm, largest: Bool) throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx", "two.rasdx"])
    let digest = try cases.store.digest()
    try hurt(cases.store, harm, largest: largest)
    let checked = try cases.store.run("check", [], status: 4)
    #expect(checked.errorText.contains(cases.path("one.rasdx")), "\(checked.errorText)")
    #expect(checked.errorText.contains("store-damaged"))
    try cases.consolidate(["two.rasdx"], status: harm == .flipped ? 0 : 4)

    let healed = try cases.consolidate(["one.rasdx"])
    #expect(healed.totals[0] == 0)
    #expect(healed.of("blob").map { $0["outcome"] as? String } == ["held"])
    try cases.store.run("check", [])
    #expect(try cases.store.digest() == digest)
    // Once it is whole there is nothing to bring.
    let again = try cases.consolidate(["one.rasdx"])
    #expect(again.of("blob").isEmpty && again.last("run.finished")?["bytes"] as? Int == 0)
  }

  @Test("a dry run says what it would bring back, and does not", .containerTools)
  func dry() throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx"])
    try hurt(cases.store, .gone, largest: true)
    let words = ["--key-file", cases.path("raw.key"), cases.path("one.rasdx"), "--json"]
    let dry = try cases.store.run("consolidate", words + ["--dry-run"])
    #expect(dry.outputText.contains(#""restored":1"#))
    try cases.store.run("check", [], status: 4)
    let real = try cases.store.run("consolidate", words)
    #expect(real.outputText.contains(#""restored":1"#))
  }

  @Test(
    "an export has all but the blob, and says which sources had it",
    .containerTools,
    arguments: [Harm.gone, .flipped],
    [true, false]
  )
  func exports(_ harm: Harm, largest: Bool) throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx"])
    try hurt(cases.store, harm, largest: largest)
    let lines = cases.folder.path + "/lines"
    let said = try cases.store.run("export", ["--to", lines, "--format", "jsonl"], status: 4)
    let name = largest ? "large" : "none"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: lines + "/attachments").sorted()
        == ["large", "none", "small"].filter { $0 != name }
    )
    #expect(try Events(lines + "/attachments.jsonl").all.count == 3)
    #expect(said.errorText.contains(cases.path("one.rasdx")), "\(said.errorText)")
    #expect(!said.errorText.contains("rasdkit export"))

    let sealed = cases.folder.path + "/all.rasdx"
    let key = ["--key-file", cases.store.keyFile]
    try cases.store.run(
      "export",
      ["--to", sealed, "--to-key-file", cases.store.keyFile],
      status: 4
    )
    #expect(try Product.run(["verify", sealed] + key).status == 0)
    let copy = try TestStore("copy", in: cases.folder.path)
    try copy.consolidate([sealed], key)
    try copy.run("check", [])
    try copy.consolidate([cases.path("one.rasdx")], ["--key-file", cases.path("raw.key")])
    #expect(try copy.digest() == cases.store.digest())
  }

  @Test("a damaged page is one line that names the file", .containerTools)
  func page() throws {
    let cases = try CaseFolder(
      "export('one', [sub(f's{i}', data={'t': 'x' * 900, 'i': i}) for i in range(900)])"
    )
    try cases.consolidate(["one.rasdx"])
    let path = cases.store.path + "/store.db"
    var bytes = try File.read(path)
    bytes[bytes.count / 2 / 4096 * 4096 + 700] ^= 1
    try Data(bytes).write(to: URL(filePath: path))
    let words = ["--to", cases.folder.path + "/out", "--format", "jsonl"]
    let said = try cases.store.run("export", words, status: 4)
    let lines = said.errorText.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("rasdkit: ") }, "\(said.errorText)")
    let errors = lines.filter { $0.hasPrefix("rasdkit: error: ") }
    #expect(errors.count == 1 && errors[0].contains("/store.db: the store is not as it was"))
  }

  @Test(
    "another store brings all but what it has lost, and brings back what it has",
    .containerTools
  )
  func stores() throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx"])
    let copy = try TestStore("copy", in: cases.folder.path)
    try copy.consolidate([cases.store.path])
    try hurt(copy, .gone, largest: true)
    try copy.consolidate([cases.store.path])
    try copy.run("check", [])

    try hurt(cases.store, .flipped, largest: true)
    let third = try TestStore("third", in: cases.folder.path)
    let said = try third.consolidate([cases.store.path], status: 4)
    #expect(said.errorText.contains("store-damaged"))
    try third.run("check", [])
  }
}

/// A copy of what was merged whole is known, wherever it stands; a damaged one is not taken for it.
@Suite struct KnownCopyTests {
  private static let program = "export('one', [sub(f's{i}') for i in range(300)])"

  /// Flips a byte in the middle of the rows.
  private func damage(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bytes.count / 2] ^= 1
    return bytes
  }

  @Test(
    "a damaged copy is told, and that nothing is lost",
    .containerTools,
    arguments: [true, false]
  )
  func damaged(inPlace: Bool) throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx"])
    let digest = try cases.store.digest()
    let name = inPlace ? "one.rasdx" : "copy.rasdx"
    try Data(damage(File.read(cases.path("one.rasdx")))).write(to: URL(filePath: cases.path(name)))
    for options in [[], ["--take-damaged"]] {
      let said = try cases.store.run(
        "consolidate",
        ["--key-file", cases.path("raw.key"), cases.path(name)] + options,
        status: 1
      )
      #expect(said.errorText.contains("[RASD_STORAGE_CORRUPT entry-damaged]"))
      #expect(said.errorText.contains("nothing is lost") && !said.errorText.contains("salvage"))
    }
    #expect(try cases.consolidate([name], status: 1).refusals == [name: "entry-damaged"])
    #expect(try cases.store.digest() == digest)
  }

  @Test(
    "whichever of two copies comes first, nothing is lost",
    .containerTools,
    arguments: ["a", "z"]
  )
  func together(name: String) throws {
    let cases = try CaseFolder(Self.program)
    let bytes = try File.read(cases.path("one.rasdx"))
    try Data(damage(bytes)).write(to: URL(filePath: cases.path("\(name).rasdx")))
    let said = try cases.store.run(
      "consolidate",
      ["--key-file", cases.path("raw.key"), cases.path("")],
      status: 1
    )
    #expect(said.errorText.contains("\(name).rasdx: part of it is damaged"))
    #expect(said.errorText.contains("nothing is lost"), "\(said.errorText)")
  }

  @Test(
    "a source that was begun goes on from a whole copy, not from a damaged one",
    .containerTools
  )
  func begun() throws {
    let cases = try CaseFolder(
      "export('big', [sub(f's{i}', data={'t': 'x' * 3000, 'i': i}) for i in range(6000)])"
    )
    let child = try ChildProcess(
      Product.rasdkit,
      ["consolidate"] + cases.store.options + ["--progress", "json", "--key-file"]
        + [cases.path("raw.key"), cases.path("big.rasdx")]
    )
    while Progress.share(in: child.errorsSoFar) < 0.4, child.isRunning { usleep(500) }
    child.send(signal: SIGTERM)
    #expect(child.wait().status == 143)
    let bytes = try File.read(cases.path("big.rasdx"))
    try FileManager.default.removeItem(atPath: cases.path("big.rasdx"))
    var bad = bytes
    bad[bytes.count * 9 / 10] ^= 1
    try Data(bad).write(to: URL(filePath: cases.path("bad.rasdx")))
    let digest = try cases.store.digest()
    #expect(
      try cases.consolidate(["bad.rasdx"], status: 1).refusals == ["bad.rasdx": "entry-damaged"]
    )
    #expect(try cases.store.digest() == digest)
    try Data(bytes).write(to: URL(filePath: cases.path("good.rasdx")))
    let events = try cases.consolidate(["good.rasdx"])
    #expect(events.totals == [6001, 0, 0, 0])
  }

  @Test("a whole copy is proved once and then known", .containerTools)
  func whole() throws {
    let cases = try CaseFolder(Self.program)
    try cases.consolidate(["one.rasdx"])
    try Data(File.read(cases.path("one.rasdx"))).write(to: URL(filePath: cases.path("copy.rasdx")))
    for _ in 0..<2 {
      let events = try cases.consolidate(["one.rasdx", "copy.rasdx"])
      #expect(events.of("source.done").map { $0["known"] as? Bool } == [true, true])
      #expect(events.totals == [0, 602, 0, 0])
    }
  }

  @Test(
    "a purged source is told when it is included, and taken when it is given again",
    .containerTools
  )
  func purged() throws {
    let cases = try CaseFolder(Self.program + "\nexport('two', [sub('b')], namespace='wfp-jo.u_2')")
    try cases.consolidate(["one.rasdx", "two.rasdx"])
    let digest = try cases.store.digest()
    let listed = try cases.store.run("sources", ["list", "--json"]).outputText
    let sources = try #require(try JSONValue.parse(Array(listed.utf8))["sources"]?.array)
    let id = try #require(sources.last?["id"]?.string)
    try cases.store.run("sources", ["exclude", id])
    try cases.store.run("sources", ["purge"])
    #expect(try cases.consolidate(["two.rasdx"]).findings.contains("source-excluded"))
    let said = try cases.store.run("sources", ["include", id], status: 1)
    #expect(said.errorText.contains("[source-purged]") && said.errorText.contains("two.rasdx"))
    #expect(try cases.store.digest() != digest)
    #expect(try cases.consolidate(["two.rasdx"]).totals == [1, 1, 0, 0])
    #expect(try cases.store.digest() == digest)
    try cases.store.run("check", [])
    try cases.store.run("sources", ["include", id])
  }
}
