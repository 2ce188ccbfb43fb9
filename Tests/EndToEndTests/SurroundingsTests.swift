import Foundation
import TestSupport
import Testing

/// What stands around a run: its standard streams, its limits, and things that are no files.
@Suite struct SurroundingsTests {
  private func oneExport() throws -> CaseFolder {
    try CaseFolder(#"export("one", [sub("a"), sub("b")])"#)
  }

  /// Runs the program as a shell does, with the shell's words for its streams.
  private func run(_ arguments: [String], _ streams: String) throws -> ChildProcess.Result {
    try ChildProcess.run(
      "/bin/sh",
      ["-c", "exec \"$@\" \(streams)", "sh", Product.rasdkit] + arguments
    )
  }

  @Test(
    "a closed stream's number never becomes a file's",
    .containerTools,
    arguments: [">&-", "<&- >&-", "2>&-", "<&- >&- 2>&-"]
  )
  func closedStreams(_ streams: String) throws {
    let cases = try oneExport()
    let report = cases.path("report.jsonl")
    let arguments = ["verify", "--key-file", cases.path("raw.key"), "--report", report]
    #expect(try run(arguments + [cases.path("one.rasdx")], streams).status == 0)
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"event\":") }, "\(lines)")
  }

  @Test("a result that can't be written is no success", .containerTools)
  func fullOutput() throws {
    let cases = try oneExport()
    let arguments = ["verify", "--key-file", cases.path("raw.key"), cases.path("one.rasdx")]
    for more in [[], ["--json"]] {
      let result = try run(arguments + more, ">/dev/full")
      #expect(result.status == 13)
      #expect(result.errorText.contains("standard output: the disk is full"))
    }
    #expect(try run(["--help"], ">/dev/full").status == 13)
  }

  @Test("a limit on a file's size is a full disk and no death", .containerTools)
  func fileSizeLimit() throws {
    let fleet = try TemporaryDirectory()
    let devices = try Fleet(
      ["--devices", "2", "--rows", "20", "--slot", "key"],
      in: fleet.path + "/fleet"
    )
    let store = try TestStore("store", in: fleet.path)
    let exports = try devices.exports
    let limited = try Product.run(
      ["consolidate"] + store.options + devices.keys + exports,
      limits: .init(fileBlocks: 200)
    )
    #expect(limited.signal == nil && limited.status == 13, "\(limited.status)")
    try store.consolidate(exports, devices.keys)
    try store.run("check", [])
    let out = fleet.path + "/out"
    let export = try Product.run(
      ["export"] + store.options + ["--to", out, "--format", "jsonl"],
      limits: .init(fileBlocks: 20)
    )
    #expect(export.signal == nil && export.status == 13, "\(export.status)")
  }

  @Test("what is no file is never replaced by one", .containerTools)
  func specialOutput() throws {
    let cases = try oneExport()
    try cases.consolidate(["one.rasdx"])
    let fifo = cases.path("fifo")
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    let words = ["--to", fifo, "--to-key-file", cases.path("raw.key"), "--force"]
    let result = try cases.store.run("export", words, status: 3)
    #expect(result.errorText.contains("not-a-regular-file"))
    var facts = stat()
    #expect(unsafe lstat(fifo, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
  }

  @Test("a word that is not UTF-8 is refused before it names something else")
  func notUTF8() throws {
    for command in ["verify", "inspect", "consolidate --store"] {
      let words = command.split(separator: " ").map(String.init)
      let result = try run(words, #""$(printf 'bad\377.rasdx')""#)
      #expect(result.status == 2)
      #expect(result.errorText.contains(#"'bad\xff.rasdx' is not UTF-8"#), "\(result.errorText)")
    }
  }

  @Test(
    "a store on a medium that can't be written is read as it stands",
    .containerTools,
    .enabled(if: Tmpfs.works, Tmpfs.why)
  )
  func readOnlyStore() throws {
    let folder = try TemporaryDirectory()
    let fleet = try Fleet(
      ["--devices", "2", "--rows", "20", "--photos", "1", "--slot", "key"],
      in: folder.path + "/fleet"
    )
    let disk = try Tmpfs(bytes: 16 << 20, at: folder.path + "/disk")
    let store = try TestStore("disk/store", in: folder.path)
    let exports = try fleet.exports
    try store.consolidate([exports[0]], fleet.keys)
    let digest = try store.digest()
    try disk.makeReadOnly()
    #expect(try store.digest() == digest)
    for (command, words) in [
      ("check", []), ("sources", ["list"]), ("keys", ["list"]),
      ("export", ["--to", folder.path + "/out", "--format", "jsonl"]),
      ("export", ["--to", folder.path + "/out.rasdx", "--to-key-file", store.keyFile]),
    ] as [(String, [String])] {
      let arguments = command == "sources" || command == "keys" ? [command] + words : [command]
      let rest = arguments.count > 1 ? [] : words
      let result = try Product.run(arguments + store.options + rest)
      #expect(result.status == 0, "\(command): \(result.errorText)")
    }
    let copy = try TestStore("copy", in: folder.path)
    try copy.consolidate([folder.path + "/out.rasdx"], ["--key-file", store.keyFile])
    #expect(try copy.digest() == digest)
    let written = try Product.run(
      ["consolidate"] + store.options + fleet.keys + ["--quiet", exports[1]]
    )
    #expect(written.status != 0)
    #expect(written.errorText.contains("[RASD_STORAGE_UNAVAILABLE read-only]"))
  }

  @Test("a store's folder that others can write in is warned of", .containerTools)
  func exposedStore() throws {
    let cases = try oneExport()
    try cases.consolidate(["one.rasdx"])
    for (mode, isSaid) in [(0o700, false), (0o770, true), (0o707, true)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode],
        ofItemAtPath: cases.store.path
      )
      let said = try cases.store.run("digest", []).errorText
      #expect(said.contains("[store-exposed]") == isSaid, "\(said)")
    }
  }

  @Test("an export never follows a link out of its folder", .containerTools)
  func plantedLink() throws {
    let cases = try CaseFolder(
      """
      row, item = photo("p1", "a", b"bytes")
      export("one", [sub("a", attachments=[item])], atts=[row], blobs={"p1": b"bytes"})
      """
    )
    try cases.consolidate(["one.rasdx"])
    let files = FileManager.default
    let (target, outside) = (cases.folder.path + "/out", cases.folder.path + "/outside")
    for path in [target, outside] {
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try files.createSymbolicLink(atPath: target + "/attachments", withDestinationPath: outside)
    let words = ["--to", target, "--format", "jsonl"]
    let result = try cases.store.run("export", words, status: 3)
    #expect(result.errorText.contains("output-exists"), "\(result.errorText)")
    #expect(FileTree.paths(under: outside).isEmpty)
  }

  @Test(
    "a prompt ends at a signal and at Ctrl-C, and leaves the terminal as it was",
    .containerTools,
    arguments: [("15", 143), ("2", 130), ("Ctrl-C", 12)]
  )
  func prompt(_ how: String, status: Int) throws {
    let cases = try oneExport()
    let asked = try Python.run(
      program: Self.atPrompt,
      [how, Product.rasdkit, "verify", cases.path("one.rasdx")]
    )
    #expect(asked.outputText == "\(status) True\n", "\(asked.outputText)\(asked.errorText)")
  }

  /// Runs a command at a terminal of its own, and once it asks, sends a signal or types; prints the
  /// exit status and whether the terminal echoes.
  private static let atPrompt = """
    import os, pty, signal, sys, termios, time
    how, command = sys.argv[1], sys.argv[2:]
    pid, terminal = pty.fork()
    if pid == 0: os.execv(command[0], command)
    echoes = lambda: bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
    while b"Passphrase" not in os.read(terminal, 4096) or echoes(): pass
    if how == "Ctrl-C": os.write(terminal, b"abc\\x03")
    else: os.kill(pid, int(how))
    for _ in range(600):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done: break
        time.sleep(0.05)
    else: os.kill(pid, 9)
    print(os.waitstatus_to_exitcode(status), echoes())
    """

  @Test("a held blob that is gone is said by an export", .containerTools)
  func lostBlob() throws {
    let folder = try TemporaryDirectory()
    let fleet = try Fleet(
      ["--devices", "1", "--rows", "5", "--photos", "1", "--slot", "key"],
      in: folder.path + "/fleet"
    )
    let store = try TestStore("store", in: folder.path)
    try store.consolidate(try fleet.exports, fleet.keys)
    let blob = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: store.path + "/blobs")
        .first { $0.contains("/") }
    )
    try FileManager.default.removeItem(atPath: store.path + "/blobs/" + blob)
    let words = ["--to", folder.path + "/out", "--format", "jsonl"]
    let result = try store.run("export", words, status: 4)
    #expect(result.errorText.contains("store-damaged"))
    try store.run("export", words + ["--force", "--no-blobs"])
  }
}
