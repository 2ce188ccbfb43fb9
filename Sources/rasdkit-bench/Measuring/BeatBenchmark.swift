import Glibc
import RasdModel
import SQLCipherKit

/// `salvage` against what was best before it: rows got out of the same damaged files, exact and
/// under their table's name.
///
/// `.recover` of a plain file is SQLite's shell, of an encrypted one SQLCipher's.
struct BeatBenchmark {
  static func run() throws -> [Finding] {
    let bench = BeatBenchmark(
      shell: shell("RASDKIT_RECOVER"),
      cipherShell: shell("RASDKIT_SQLCIPHER_RECOVER")
    )
    let plain = try BeatInput.plain()
    return try bench.encryptedFiles() + bench.plainFiles(plain) + bench.walFiles()
      + bench.deletedRows() + bench.nulTexts()
  }

  private let shell: String?
  private let cipherShell: String?

  private static func shell(_ variable: String) -> String? {
    let path = unsafe getenv(variable).map { unsafe String(cString: $0) }
    if path == nil { print("| .recover: skipped, no \(variable) | | | |") }
    return path
  }

  private static let damaged = BeatInput.folder + "/damaged.db"
  private static let output = BeatInput.folder + "/out"
  private static let all = Double(BeatInput.rows)

  // MARK: The works

  private func encryptedFiles() throws -> [Finding] {
    let whole = try BeatInput.encrypted()
    let pageSize = 4_096
    let pages = whole.count / pageSize
    var flipped = whole
    for i in 1...8 { flipped[(pages * i / 9) * pageSize + 400 * i] ^= 1 << (i % 8) }
    var headless = whole
    for i in 16..<pageSize { headless[i] = UInt8(truncatingIfNeeded: i &* 31) }
    var untagged = whole
    for page in 0..<pages {
      for i in (page + 1) * pageSize - 64..<(page + 1) * pageSize { untagged[i] ^= 0xA5 }
    }
    var findings: [Finding] = []
    // Eight pages hold at most a hundred of the rows.
    for (name, bytes, least) in [
      ("\(pages) encrypted pages, undamaged", whole, Self.all),
      ("\(pages) encrypted pages, a bit flipped in 8", flipped, Self.all - 100),
      ("page 1 destroyed, its salt intact", headless, Self.all),
      ("every HMAC tag bad", untagged, Self.all),
    ] {
      try place(bytes)
      findings.append(Finding("\(name): SQLCipher itself", try readBySQLCipher(), "rows"))
      if let cipherShell {
        try recover(cipherShell, first: "PRAGMA key = \"x'\(Hex.encode(BeatInput.rawKey))'\"")
        findings.append(Finding("\(name): its .recover", (try? exact()) ?? 0, "rows"))
      }
      try salvage(["--key-file", try keyFile()])
      findings.append(Finding("\(name): salvage", try exact(), "rows", .atLeast(least)))
    }
    return findings
  }

  private func plainFiles(_ whole: [UInt8]) throws -> [Finding] {
    var findings: [Finding] = []
    for (name, count) in [("first 100 bytes overwritten", 100), ("page 1 zeroed", 4_096)] {
      var bytes = whole
      for i in 0..<count { bytes[i] = count == 100 ? 0xFF : 0 }
      try place(bytes)
      findings += try both(name, atLeast: Self.all)
    }
    return findings
  }

  private func walFiles() throws -> [Finding] {
    let (database, wal) = try BeatInput.withWAL()
    var headless = wal
    for i in 0..<32 { headless[i] = 0 }
    var flipped = wal
    flipped[wal.count / 2] ^= 4
    var findings: [Finding] = []
    for (name, bytes, least) in [
      ("1,000 of 5,000 rows in a WAL without header", headless, Self.all),
      // The bit's own row is not what was written.
      ("the same, one flipped bit in it", flipped, Self.all - 1),
    ] {
      try place(database)
      try OutputFile.write(bytes, to: Self.damaged + "-wal")
      findings += try both(name, atLeast: least)
    }
    return findings
  }

  private func deletedRows() throws -> [Finding] {
    try place(try BeatInput.deleted())
    try salvage([])
    let carved = "rasdkit_kind IN ('freelist', 'freeblock', 'gap')"
    let deleted = try count(
      "SELECT count(*) FROM (SELECT DISTINCT id FROM r.submissions WHERE \(carved)) x"
        + " JOIN submissions t ON t.id = x.id WHERE t.rowid % 5 = 0"
    )
    let wrong = try count(
      "SELECT count(*) FROM r.submissions x JOIN submissions t ON t.id = x.id"
        + " WHERE t.rowid % 5 <> 0 AND x.\(carved)"
    )
    return [
      Finding("1,000 deleted rows: salvage", deleted, "rows", .atLeast(996)),
      Finding("live rows called deleted", wrong, "rows", .atMost(0)),
    ]
  }

  private func nulTexts() throws -> [Finding] {
    let bytes = try BeatInput.nulTexts()
    try place(bytes)
    let same =
      "SELECT count(*) FROM r.notes x JOIN n.notes y USING (id)"
      + " WHERE typeof(x.text) = 'text' AND CAST(x.text AS BLOB) = CAST(y.text AS BLOB)"
    return try both("599 texts with a NUL, file whole", atLeast: 599, same)
  }

  // MARK: The programs

  private func both(
    _ name: String,
    atLeast least: Double,
    _ query: String = BeatBenchmark.exactRows
  ) throws -> [Finding] {
    var findings: [Finding] = []
    if let shell {
      try recover(shell)
      findings.append(Finding("\(name): .recover", (try? count(query)) ?? 0, "rows"))
      // Rows without an owner go into a table of that name.
      let unnamed = (try? count("SELECT count(*) FROM r.lost_and_found WHERE id IS NOT NULL")) ?? 0
      if unnamed > 0 {
        findings.append(Finding("\(name): .recover, without a table's name", unnamed, "rows"))
      }
    }
    try salvage([])
    findings.append(Finding("\(name): salvage", try count(query), "rows", .atLeast(least)))
    return findings
  }

  /// What a shell's `.recover` makes of the damaged file; `first` is run before it.
  private func recover(_ shell: String, first: String = "") throws {
    try BenchInput.remove(Self.output)
    try OutputFile.makeFolder(Self.output)
    // It may write to what it reads: it gets a copy, its WAL beside it.
    _ = try ChildRun.run([
      "sh", "-c",
      """
      cp "$1" "$3"; [ ! -f "$1-wal" ] || cp "$1-wal" "$3-wal"
      "$0" -cmd "$4" "$3" .recover | "$0" "$2"
      """,
      shell, Self.damaged, Self.output + "/recovered.db", Self.output + "/copy.db", first,
    ])
  }

  private func place(_ bytes: [UInt8]) throws {
    for suffix in ["", "-wal", "-shm"] { OutputFile.remove(Self.damaged + suffix) }
    try OutputFile.write(bytes, to: Self.damaged)
  }

  private func salvage(_ keys: [String]) throws {
    try BenchInput.remove(Self.output)
    _ = try ChildRun.rasdkit(["salvage", "--quiet", Self.damaged, "--to", Self.output] + keys)
  }

  private func keyFile() throws -> String {
    let path = BeatInput.folder + "/device.key"
    try OutputFile.write(Hex.encode(BeatInput.rawKey) + "\n", to: path)
    return path
  }

  /// Rows that SQLCipher gives until it meets an error.
  private func readBySQLCipher() throws -> Double {
    let key = BeatInput.rawKey
    let open = try? Connection(path: Self.damaged, access: .readUntouched, rawKey: key.span)
    guard let open else { return 0 }
    defer { open.close() }
    guard let select = try? open.prepare("SELECT \(BeatInput.columns) FROM submissions") else {
      return 0
    }
    var rows = 0
    while (try? select.step()) == true { rows += 1 }
    return Double(rows)
  }

  // MARK: Counting

  /// Rows under their table's name that are what was written.
  private static let exactRows = """
    SELECT count(*) FROM (SELECT \(BeatInput.columns) FROM submissions INTERSECT
      SELECT \(BeatInput.columns) FROM r.submissions)
    """

  private func exact() throws -> Double { try count(Self.exactRows) }

  /// Answers a query over the undamaged rows, what was recovered (`r`) and the texts (`n`).
  private func count(_ query: String) throws -> Double {
    let truth = try Connection(plainOutput: BeatInput.truth)
    defer { truth.close() }
    try truth.execute("ATTACH '\(Self.output)/recovered.db' AS r")
    if query.contains("n.notes") { try truth.execute("ATTACH '\(BeatInput.folder)/nul.db' AS n") }
    return Double(try truth.integer(query) ?? 0)
  }
}
