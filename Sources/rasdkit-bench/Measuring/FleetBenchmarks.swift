import Glibc
import RasdCrypto
import RasdModel
import SQLCipherKit

/// `verify` and `consolidate` against a script over the usual libraries, and against what the
/// database and the disk cost by themselves.
struct ConsolidateBenchmark {
  static func run() throws -> [Finding] {
    let export = try BenchInput.large()
    let verify = try Commands.verify(export)
    let consolidate = try Commands.consolidate(export)
    let floor = try Floor.seconds()
    var findings = [
      Finding("verify, one export of 10,000 rows", verify.seconds, "s"),
      Finding("consolidate, the same", consolidate.seconds, "s"),
      Finding(
        "consolidate / bare inserts and blob writes",
        consolidate.seconds / floor,
        "times",
        .atMost(1.5)
      ),
    ]
    if let peer = try Commands.peer(export) {
      findings.append(Finding("peer_import.py, the same", peer, "s"))
      findings.append(
        Finding("verify against it", peer / verify.seconds, "times as fast", .atLeast(10))
      )
      findings.append(
        Finding("consolidate against it", peer / consolidate.seconds, "times as fast", .atLeast(6))
      )
    }
    return findings
  }
}

/// One core against two.
struct CoresBenchmark {
  static func run() throws -> [Finding] {
    try [("the large export", BenchInput.large()), ("a fleet of 50", BenchInput.fleet(50))]
      .map { name, path in
        let one = try Commands.verify(path, cores: 1).seconds
        let two = try Commands.verify(path, cores: 2).seconds
        return Finding("verify on two cores, \(name)", one / two, "times one", .atLeast(1.6))
      }
  }
}

/// Peak memory, and the time until the program is there.
struct MemoryBenchmark {
  static func run() throws -> [Finding] {
    let photos = try Commands.consolidate(try BenchInput.photos())
    let few = try Commands.consolidate(try BenchInput.fleet(50, rows: 20))
    let many = try Commands.consolidate(try BenchInput.fleet(500, rows: 20))
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
  static func verify(_ path: String, cores: Int? = nil) throws -> ChildRun {
    // The first run warms the page cache.
    try (0..<3).map { _ in
      try ChildRun.rasdkit(
        ["verify", "--quiet", "--key-file", BenchInput.key, path],
        cores: cores
      )
    }
    .min { $0.seconds < $1.seconds } ?? ChildRun.rasdkit(["--version"])
  }

  static func consolidate(_ path: String) throws -> ChildRun {
    let store = BenchInput.folder + "/store"
    try BenchInput.remove(store)
    defer { try? BenchInput.remove(store) }
    return try ChildRun.rasdkit([
      "consolidate", "--quiet", "--store", store, "--store-key-file", BenchInput.storeKey,
      "--key-file", BenchInput.key, path,
    ])
  }

  /// Seconds of the script, nil where it or its libraries are absent.
  static func peer(_ path: String) throws -> Double? {
    guard let shared = variable("RASDKIT_SHARED") else { return nil }
    let store = BenchInput.folder + "/peer.db"
    try BenchInput.remove(store)
    defer { try? BenchInput.remove(store) }
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
    let folder = BenchInput.folder + "/floor"
    try BenchInput.remove(folder)
    try OutputFile.makeFolder(folder)
    defer { try? BenchInput.remove(folder) }
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
