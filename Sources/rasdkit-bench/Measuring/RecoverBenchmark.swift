import Glibc

/// `salvage` of plain databases against SQLite's own `.recover`, in the same run.
struct RecoverBenchmark {
  private static let tiny = (rows: 18_000, path: BenchInput.folder + "/plain-10MB.db")
  private static let small = (rows: 160_000, path: BenchInput.folder + "/plain-85MB.db")
  private static let large = (rows: 4_000_000, path: BenchInput.folder + "/plain-2GB.db")

  static func run() throws -> [Finding] {
    guard let shell = unsafe getenv("RASDKIT_RECOVER").map({ unsafe String(cString: $0) }) else {
      print("| salvage against .recover: skipped, no RASDKIT_RECOVER | | | |")
      return []
    }
    for database in [tiny, small, large] { try make(database, shell) }
    // In turns, as a shared machine's speed changes.
    var rounds: [(recover: ChildRun, tiny: ChildRun, small: ChildRun)] = []
    for _ in 0..<Rounds.count {
      rounds.append(
        (try recover(small.path, shell), try salvage(tiny.path), try salvage(small.path))
      )
    }
    let big = try salvage(large.path)
    let ours = Rounds.median(rounds.map(\.small.seconds))
    let bigRow = big.seconds / Double(large.rows)
    return [
      Finding(
        ".recover of 85 MB into a database",
        Rounds.median(rounds.map(\.recover.seconds)),
        "s"
      ),
      Finding("salvage of the same", ours, "s"),
      Finding(
        "salvage / .recover",
        Rounds.ratio(rounds.map(\.small.seconds), rounds.map(\.recover.seconds)),
        "times",
        .atMost(0.5)
      ),
      Finding("peak, salvage of 85 MB", rounds.map(\.small.peakMiB).max() ?? 0, "MiB", .atMost(64)),
      Finding("peak, salvage of 2 GB", big.peakMiB, "MiB", .atMost(64)),
      // The start of the program weighs on the smallest, the disk on the largest.
      Finding(
        "time a row, 2 GB / 10 MB",
        bigRow / (Rounds.median(rounds.map(\.tiny.seconds)) / Double(tiny.rows)),
        "times",
        .atMost(1.5)
      ),
      Finding(
        "time a row, 2 GB / 85 MB",
        bigRow / (ours / Double(small.rows)),
        "times",
        .atMost(1.5)
      ),
    ]
  }

  private static func make(_ database: (rows: Int, path: String), _ shell: String) throws {
    guard unsafe access(database.path, F_OK) != 0 else { return }
    try OutputFile.makeFolder(BenchInput.folder)
    let run = try ChildRun.run([
      shell, database.path,
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE answers (id INTEGER PRIMARY KEY, form TEXT, at TEXT, value REAL, body TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(database.rows))
      INSERT INTO answers SELECT i, 'water-point', '2026-09-07T06:00:00Z', i * 0.1,
        hex(randomblob(230)) FROM n;
      """,
    ])
    guard run.status == 0 else { try BenchInput.remove(database.path); return }
  }

  private static func recover(_ path: String, _ shell: String) throws -> ChildRun {
    let target = BenchInput.folder + "/recovered-by-shell.db"
    try BenchInput.remove(target)
    defer { try? BenchInput.remove(target) }
    return try ChildRun.run([
      "sh", "-c", "\"$0\" \"$1\" .recover | \"$0\" \"$2\"", shell, path, target,
    ])
  }

  private static func salvage(_ path: String) throws -> ChildRun {
    let target = BenchInput.folder + "/salvaged"
    try BenchInput.remove(target)
    defer { try? BenchInput.remove(target) }
    return try ChildRun.rasdkit(["salvage", "--quiet", path, "--to", target])
  }
}
