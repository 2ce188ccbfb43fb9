import Glibc
import RasdCrypto
import RasdModel
import SQLCipherKit

/// `verify` and `consolidate` against a script over the usual libraries, and against what the
/// database and the disk cost by themselves.
struct ConsolidateBenchmark {
  static func run() throws -> [Finding] {
    let export = try BenchInput.large()
    var (verify, consolidate, floor, peer): ([Double], [Double], [Double], [Double]) =
      ([], [], [], [])
    // In turns, so that whatever else the machine does falls on all of them.
    for _ in 0..<Rounds.count {
      verify.append(try Commands.verify(export).seconds)
      consolidate.append(try Commands.consolidate(export).seconds)
      floor.append(try Floor.seconds())
      if let seconds = try Commands.peer(export) { peer.append(seconds) }
    }
    try Commands.removeStores()
    var findings = [
      Finding("verify, one export of 10,000 rows", Rounds.median(verify), "s"),
      Finding("consolidate, the same", Rounds.median(consolidate), "s"),
      Finding("bare inserts and blob writes", Rounds.median(floor), "s"),
      Finding(
        "consolidate / bare inserts and blob writes",
        Rounds.ratio(consolidate, floor),
        "times",
        .atMost(1.5)
      ),
    ]
    if peer.count == Rounds.count {
      findings += [
        Finding("peer_import.py, the same", Rounds.median(peer), "s"),
        Finding("verify against it", Rounds.ratio(peer, verify), "times as fast", .atLeast(10)),
        Finding(
          "consolidate against it",
          Rounds.ratio(peer, consolidate),
          "times as fast",
          .atLeast(6)
        ),
      ]
    }
    return findings
  }
}

/// One worker against two.
struct CoresBenchmark {
  static func run() throws -> [Finding] {
    var findings: [Finding] = []
    for (name, path) in [
      ("the large export", try BenchInput.large()), ("a fleet of 50", try BenchInput.fleet(50)),
    ] {
      var (verify, consolidate): ([[Double]], [[Double]]) = ([[], []], [[], []])
      for _ in 0..<Rounds.count {
        for workers in [1, 2] {
          verify[workers - 1].append(try Commands.verify(path, workers: workers).seconds)
          consolidate[workers - 1].append(try Commands.consolidate(path, workers: workers).seconds)
        }
        try Commands.removeStores()
      }
      findings += [
        Finding(
          "verify with two workers, \(name)",
          Rounds.ratio(verify[0], verify[1]),
          "times one",
          .atLeast(1.6)
        ),
        Finding(
          "consolidate with two workers, \(name)",
          Rounds.ratio(consolidate[0], consolidate[1]),
          "times one",
          .atLeast(1.6)
        ),
      ]
    }
    return findings
  }
}

/// Peak memory, and the time until the program is there.
struct MemoryBenchmark {
  static func run() throws -> [Finding] {
    let photos = try Commands.consolidate(try BenchInput.photos())
    let few = try Commands.consolidate(try BenchInput.fleet(50))
    let many = try Commands.consolidate(try BenchInput.fleet(500))
    try Commands.removeStores()
    let version = try (0..<5).map { _ in try ChildRun.rasdkit(["--version"]).seconds }.min() ?? 0
    return [
      Finding("peak, 500 MB of photos in one export", photos.peakMiB, "MiB", .atMost(64)),
      Finding("peak, 50 exports", few.peakMiB, "MiB", .atMost(64)),
      // A tenth is what an allocator's rounding and the list of 500 names may differ by.
      Finding("peak, 500 exports / 50", many.peakMiB / few.peakMiB, "times", .atMost(1.1)),
      Finding("rasdkit --version", version * 1000, "ms", .atMost(20)),
    ]
  }
}

/// The commands measured, each into a store that was not there.
private enum Commands {
  static func verify(_ path: String, workers: Int? = nil) throws -> ChildRun {
    try ChildRun.rasdkit(
      ["verify", "--quiet", "--key-file", BenchInput.key, path] + jobs(workers)
    )
  }

  static func consolidate(_ path: String, workers: Int? = nil) throws -> ChildRun {
    try ChildRun.rasdkit(
      [
        "consolidate", "--quiet", "--store", try BenchInput.newStore(), "--store-key-file",
        BenchInput.storeKey, "--key-file", BenchInput.key, path,
      ] + jobs(workers)
    )
  }

  /// After measuring, not during: ext4 looks for other inodes than those just deleted.
  static func removeStores() throws { try BenchInput.remove(BenchInput.stores) }

  private static func jobs(_ workers: Int?) -> [String] {
    workers.map { ["--jobs", String($0)] } ?? []
  }

  /// Seconds of the script, nil where it or its libraries are absent.
  static func peer(_ path: String) throws -> Double? {
    guard let shared = variable("RASDKIT_SHARED") else { return nil }
    let store = try BenchInput.newStore() + ".db"
    let run = try ChildRun.run([
      variable("RASDKIT_PYTHON") ?? "python3", shared + "/tools/peer_import.py", store, path,
      "--key-file", BenchInput.key,
    ])
    return run.status == 0 ? run.seconds : nil
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

/// What the same bodies and blobs cost without us.
private enum Floor {
  static func seconds() throws -> Double {
    let bodies = try BenchInput.lines(submissions: BenchInput.largeRows)
    let folder = try BenchInput.newStore()
    try OutputFile.makeFolder(folder)
    let key = SecureRandom.bytes(32)
    let connection = try Connection(
      path: folder + "/floor.db",
      access: .create,
      rawKey: key.span
    )
    try connection.execute("CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    let inserts = try Measure.seconds { try insert(bodies, into: connection) }
    let photo = MadePhoto(id: "", submission: "", seed: 1, noise: 250_000).bytes()
    let writes = try Measure.seconds {
      for number in 0..<BenchInput.largePhotos { try write(photo, to: "\(folder)/\(number)") }
    }
    return inserts + writes
  }

  private static func insert(_ bodies: [[UInt8]], into connection: Connection) throws {
    let statement = try connection.statement("INSERT INTO bodies (body) VALUES (?)")
    for (number, body) in bodies.enumerated() {
      if number % 200 == 0 { try connection.begin() }
      try statement.bind(1, blob: body)
      try statement.run()
      statement.reset()
      if number % 200 == 199 { try connection.commit() }
    }
    if connection.isInTransaction { try connection.commit() }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    let written = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(file, $0.baseAddress, $0.count)
    }
    guard written == bytes.count, fsync(file) == 0 else {
      throw RasdError(.quota, .ioError, ["path": .text(path)])
    }
  }
}
