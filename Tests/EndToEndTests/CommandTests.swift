import Foundation
import TestSupport
import Testing

/// What the commands promise beside the right rows.
@Suite struct CommandTests {
  private static let two = """
    export("one", [sub("a"), sub("b")], kv=[{"key": "ZqSecret", "value": 1, "updatedAt": AT}])
    export("two", [sub("c")], namespace="wfp-jo.u_2")
    """

  @Test("a dry run says all and writes nothing", .containerTools)
  func dryRun() throws {
    let cases = try CaseFolder(Self.two)
    #expect(try cases.consolidate(["one.rasdx"], ["--dry-run"]).totals == [4, 0, 0, 0])
    #expect(!FileManager.default.fileExists(atPath: cases.store.path))
    try cases.consolidate(["one.rasdx"])
    let digest = try cases.store.digest()
    let events = try cases.consolidate(["one.rasdx", "two.rasdx"], ["--dry-run"])
    #expect(events.totals == [1, 5, 0, 0])
    #expect((events.last("run.started")?["policy"] as? [String: Any])?["dry-run"] as? Bool == true)
    #expect(try cases.store.digest() == digest)
  }

  @Test("a known source is recognised and not read again", .containerTools)
  func known() throws {
    let cases = try CaseFolder(Self.two)
    try cases.consolidate(["one.rasdx", "two.rasdx"])
    let events = try cases.consolidate(["one.rasdx", "two.rasdx", "one.rasdx"])
    #expect(events.of("source.done").map { $0["known"] as? Bool } == [true, true, true])
    #expect(events.last("run.finished")?["bytes"] as? Int == 0)
  }

  @Test(
    "one status where all are refused for one reason",
    .containerTools,
    arguments: [
      (["nowhere"], 3), (["stub.rasdx"], 3), (["locked.rasdx"], 12), (["future.rasdx"], 14),
      (["stub.rasdx", "nowhere"], 3), (["stub.rasdx", "locked.rasdx"], 1), (["cut.rasdx"], 1),
      (["locked.rasdx", "one.rasdx"], 1), (["plain.rasdx"], 1),
    ] as [([String], Int32)]
  )
  func statuses(_ names: [String], _ status: Int32) throws {
    let cases = try CaseFolder(
      Self.two + """

        export("locked", [sub("z")], slots=[("key", bytes(32))])
        export("future", [sub("z")], edit_manifest=lambda m: m.update(crit=["tomorrow"]))
        export("plain", [sub("z")], slots=[])
        (FOLDER / "stub.rasdx").write_bytes(b"no archive")
        whole = (FOLDER / "one.rasdx").read_bytes()
        (FOLDER / "cut.rasdx").write_bytes(whole[: len(whole) // 2])
        """
    )
    let events = try cases.consolidate(names, status: status)
    #expect(events.last("run.finished")?["exit"] as? Int == Int(status))
    let verified = try Product.run(
      ["verify", "--key-file", cases.path("raw.key")] + names.map { cases.path($0) }
    )
    #expect(verified.status == status)
  }

  @Test("plaintext only where it is allowed, and never unsaid", .containerTools)
  func plaintext() throws {
    let cases = try CaseFolder("export('plain', [sub('a')], slots=[])")
    #expect(
      try cases.consolidate(["plain.rasdx"], status: 1).refusals["plain.rasdx"]
        == "plaintext-refused"
    )
    let events = try cases.consolidate(["plain.rasdx"], ["--allow-plaintext"])
    #expect(events.findings.contains("plaintext-source"))
    try cases.consolidate(["plain.rasdx"], ["--allow-plaintext", "--strict"], status: 1)
  }

  @Test("a key ring opens each namespace with its own key, and binds", .containerTools)
  func keyRing() throws {
    let cases = try CaseFolder(
      """
      import fleet
      export("one", [sub("a")], slots=[("key", bytes([1] * 32))])
      export("two", [sub("b")], namespace="wfp-jo.u_2", slots=[("key", bytes([2] * 32))])
      export("stranger", [sub("c")], namespace="wfp-jo.u_2")
      for n in (1, 2):
          (FOLDER / f"{n}.key").write_text(bytes([n] * 32).hex())
          os.chmod(FOLDER / f"{n}.key", 0o600)
      (FOLDER / "ring.json").write_text(json.dumps({"keys": [
          {"namespace": "wfp-jo.*", "keyFile": "1.key"},
          {"namespace": "wfp-jo.u_2", "keyFile": "2.key", "bind": True}]}))
      """
    )
    let events = try cases.consolidate(
      ["one.rasdx", "two.rasdx", "stranger.rasdx"],
      ["--key-ring", cases.path("ring.json")],
      status: 1
    )
    #expect(events.refusals == ["stranger.rasdx": "unbound-namespace"])
    #expect(events.totals[0] == 3)
  }

  @Test("sources are excluded, included and purged", .containerTools)
  func sources() throws {
    let cases = try CaseFolder(Self.two)
    try cases.consolidate(["one.rasdx"])
    let digest = try cases.store.digest()
    let events = try cases.consolidate(["two.rasdx"])
    let both = try cases.store.digest()
    let opened = events.last("source.opened")?["identity"] as? [String: Any]
    let id = try #require(opened?["exportId"] as? String)
    try cases.store.run("sources", ["exclude", String(id.prefix(13))])
    #expect(try cases.store.digest() == digest)
    #expect(try cases.consolidate(["two.rasdx"]).findings.contains("source-excluded"))
    try cases.store.run("sources", ["include", id])
    #expect(try cases.store.digest() == both)
    try cases.store.run("sources", ["exclude", id])
    try cases.store.run("sources", ["purge"])
    #expect(try cases.store.digest() == digest)
    try cases.store.run("sources", ["exclude", "no-such"], status: 3)
    try cases.store.run("check", [])
  }

  @Test("slots are added and removed, but for the last", .containerTools)
  func slots() throws {
    let cases = try CaseFolder(Self.two)
    try cases.consolidate(["one.rasdx"])
    let identity = cases.path("id.pem")
    #expect(try Product.run(["keys", "identity", "--to", identity]).status == 0)
    #expect(try Product.run(["keys", "identity", "--to", identity]).status == 3)
    try cases.store.run("keys", ["remove", "1"], status: 1)
    try cases.store.run("keys", ["add", "--to-recipient", identity + ".pub"])
    let listed = try Product.run(["keys", "list", "--store", cases.store.path])
    #expect(listed.lines.count == 2)
    try cases.store.run("keys", ["remove", "1"])
    try cases.store.run("digest", [], status: 12)
    let opened = try Product.run([
      "digest", "--store", cases.store.path, "--store-identity", identity,
    ])
    #expect(opened.status == 0)
  }

  @Test("a store that is locked, or not there", .containerTools)
  func lockedStore() throws {
    let cases = try CaseFolder(Self.two)
    try cases.store.run("digest", [], status: 10)
    try cases.consolidate(["one.rasdx"])
    let lock = unsafe open(cases.store.path + "/lock", O_RDWR)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let result = try Product.run(
      ["consolidate"] + cases.store.options + ["--key-file", cases.path("raw.key")]
        + [cases.path("two.rasdx")]
    )
    #expect(result.status == 11)
    #expect(result.errorText.contains("[RASD_STORAGE_LOCKED store-locked]"))
  }

  @Test("a report without clock or chance, whatever the locale", .containerTools)
  func reproducible() throws {
    let cases = try CaseFolder(Self.two + "\nexport('bad', [sub('d')])")
    let reports = try ["C", "ar_EG.UTF-8"].map { language in
      let path = cases.folder.path + "/report-\(language).jsonl"
      let result = try Product.run(
        ["verify", "--reproducible", "--rows", "all", "--report", path]
          + ["--key-file", "in/raw.key", "in"],
        environment: ["LANG": language, "LC_ALL": language, "TZ": "Asia/Kathmandu"],
        directory: cases.folder.path
      )
      #expect(result.status == 0)
      return try File.read(path)
    }
    #expect(reports[0] == reports[1])
  }

  @Test("paths with anything in them", .containerTools)
  func paths() throws {
    let cases = try CaseFolder(Self.two)
    let names = [
      "sp ace#50%\"quote\"'", "new\nline", String(repeating: "n", count: 244), "\u{202e}cod",
      "-dash",
    ]
    for name in names {
      try FileManager.default.copyItem(
        atPath: cases.path("one.rasdx"),
        toPath: cases.path(name + ".rasdx")
      )
      let result = try Product.run(
        ["verify", "--quiet", "--key-file", cases.path("raw.key"), "--", "\(name).rasdx"],
        directory: cases.path("")
      )
      #expect(result.status == 0, "\(name): \(result.errorText)")
      #expect(!result.outputText.unicodeScalars.contains("\u{202e}"))
    }
    let report = try cases.consolidate([""])
    #expect(report.of("source.opened").count == 2 + names.count)
  }

  @Test("a report names no key of a kv row, unless asked", .containerTools)
  func hiddenKeys() throws {
    let cases = try CaseFolder(Self.two)
    let path = cases.folder.path + "/all.jsonl"
    try cases.store.consolidate(
      [cases.path("one.rasdx")],
      ["--key-file", cases.path("raw.key"), "--report", path, "--rows", "all"]
    )
    #expect(try !File.read(path).holds(Array("ZqSecret".utf8)))
    #expect(try File.read(path).holds(Array("hmac:".utf8)))
  }

  @Test("a migration is read back, receipted and never overwrites", .containerTools)
  func migrate() throws {
    let cases = try CaseFolder(
      """
      row, item = photo("p", "s", b"bytes")
      export("old", [sub("s", attachments=[item])], atts=[row], blobs={"p": b"bytes"},
             extra={"x_tracks": [{"lat": 1}]})
      """
    )
    let target = cases.folder.path + "/new.rasdx"
    let words = [
      "migrate", cases.path("old.rasdx"), "--key-file", cases.path("raw.key"), "--to", target,
      "--to-key-file", cases.store.keyFile, "--namespace", "wfp-jo.u_9",
    ]
    #expect(try Product.run(words).status == 0)
    #expect(
      try Python.run("rasdx.py", ["verify", target, "--key-file", cases.store.keyFile]).status == 0
    )
    let receipt = try Events(target + ".receipt.jsonl").all
    #expect(receipt.filter { $0["hash"] != nil }.count == 4)
    #expect(receipt.filter { $0["blob"] != nil }.map { $0["blob"] as? String } == ["p"])
    #expect(receipt.last?["rows"] as? Int == 4)
    #expect(try Product.run(words).status == 3)
    #expect(try Product.run(words + ["--force"]).status == 0)

    try cases.consolidate(["old.rasdx"])
    let store = try TestStore("resealed", in: cases.folder.path)
    try store.consolidate([target], ["--key-file", store.keyFile])
    #expect(try cases.lines("submissions").count == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: cases.folder.path)
        .filter { $0.contains(".tmp") } == []
    )
  }

  @Test("an export for one device, and one of a form, say what they are", .containerTools)
  func filteredExports() throws {
    let cases = try CaseFolder(
      """
      export("one", [sub("a"), sub("b", formId="nutrition")])
      export("two", [sub("c"), sub("d", "draft", 0)], namespace="wfp-jo.u_2")
      """
    )
    try cases.consolidate(["one.rasdx", "two.rasdx"])
    let device = cases.folder.path + "/device.rasdx"
    try cases.store.run(
      "export",
      ["--to", device, "--to-key-file", cases.store.keyFile, "--for-device", "wfp-jo.u_2"]
    )
    let copy = try TestStore("device", in: cases.folder.path)
    try copy.consolidate([device], ["--key-file", copy.keyFile])
    let rows = cases.folder.path + "/rows"
    try copy.run("export", ["--to", rows, "--format", "jsonl", "--status", "draft"])
    #expect(try Events(rows + "/submissions.jsonl").all.map { $0["id"] as? String } == ["d"])

    let form = cases.folder.path + "/form.rasdx"
    try cases.store.run(
      "export",
      ["--to", form, "--to-key-file", cases.store.keyFile, "--form", "nutrition"]
    )
    let half = try TestStore("form", in: cases.folder.path)
    try half.consolidate([form], ["--key-file", half.keyFile])
    try half.run("export", ["--to", rows + "2", "--format", "jsonl"])
    #expect(try Events(rows + "2/submissions.jsonl").all.map { $0["id"] as? String } == ["b"])
  }

  @Test("sources of two organisations need --org", .containerTools)
  func twoOrganisations() throws {
    let cases = try CaseFolder(
      "export('one', [sub('a')])\nexport('two', [sub('b')], namespace='other.u_1')"
    )
    try cases.consolidate(["one.rasdx", "two.rasdx"], status: 2)
    let events = try cases.consolidate(["one.rasdx", "two.rasdx"], ["--org", "other"], status: 1)
    #expect(events.refusals == ["one.rasdx": "foreign-namespace"])
  }

  @Test("SIGTERM finishes the batch, SIGUSR1 says where it stands", .containerTools)
  func signals() throws {
    let cases = try CaseFolder(
      "export('big', [sub(f's{i}', data={'t': 'x' * 3000, 'i': i}) for i in range(6000)])"
    )
    let child = try ChildProcess(
      Product.rasdkit,
      ["consolidate"] + cases.store.options + ["--progress", "json", "--key-file"]
        + [cases.path("raw.key"), cases.path("big.rasdx")]
    )
    while Progress.share(in: child.errorsSoFar) < 0.3, child.isRunning { usleep(500) }
    child.send(signal: SIGUSR1)
    usleep(20_000)
    child.send(signal: SIGTERM)
    let result = child.wait()
    #expect(result.status == 143, "\(result.errorText)")
    #expect(result.errorText.contains("rasdkit: merging"))
    #expect(result.errorText.contains("run the same command again"))
    #expect(try cases.consolidate(["big.rasdx"]).totals == [6001, 0, 0, 0])
    try exportsOnceMore(cases)
  }

  /// A folder that SIGTERM or a kill left unfinished is written anew by the same command.
  private func exportsOnceMore(_ cases: CaseFolder) throws {
    let target = cases.folder.path + "/out"
    let command = ["export"] + cases.store.options + ["--to", target, "--format", "jsonl"]
    for signal in [SIGTERM, SIGKILL] {
      let child = try ChildProcess(Product.rasdkit, command)
      while child.isRunning, !FileManager.default.fileExists(atPath: target) { usleep(500) }
      child.send(signal: signal)
      let result = child.wait()
      #expect(result.signal == SIGKILL || result.status == 143, "\(result.errorText)")
    }
    let mark = target + "/.rasdkit-unfinished"
    #expect(FileManager.default.fileExists(atPath: mark))
    let whole = try Product.run(command)
    #expect(whole.status == 0, "\(whole.errorText)")
    #expect(!FileManager.default.fileExists(atPath: mark))
    #expect(try File.lines(target + "/submissions.jsonl").count == 6000)
    #expect(try Product.run(command).status == 3, "a finished one is not overwritten")
  }
}
