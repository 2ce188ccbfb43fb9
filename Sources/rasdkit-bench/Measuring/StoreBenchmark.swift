import Glibc
import RasdCrypto
import RasdModel
import RasdStore
import SQLCipherKit

/// What a store costs over a bare loop that inserts the same texts into SQLCipher: the same
/// pragmas, the same 200 rows a transaction, one writer each.
struct StoreBenchmark {
  static let rows = 10_000
  static let rounds = 3

  static func run() throws -> [Finding] {
    let lines = try BenchInput.lines(submissions: rows)
    guard let namespace = Namespace("example.u_1") else { return [] }
    var reader = RowReader { SHA256.digest($0) }
    let prepared = try lines.map {
      PreparedRow(try reader.read(line: $0.span, table: .submissions, namespace: namespace))
    }
    var (bare, store) = (Double.infinity, Double.infinity)
    for _ in 0..<rounds {
      bare = min(bare, try Self.bare(lines))
      store = min(store, try Self.store(prepared, namespace))
    }
    return [
      Finding("bare loop into SQLCipher", Double(rows) / bare, "rows/s"),
      Finding("store, the same rows prepared", Double(rows) / store, "rows/s"),
      Finding("store over the bare loop", store / bare, "times", .atMost(1.5)),
    ]
  }

  private static func bare(_ lines: [[UInt8]]) throws -> Double {
    let folder = try Folder()
    let key = SecureRandom.secret(32)
    let connection = try Connection(
      path: folder.path + "/bare.db",
      access: .create,
      rawKey: key.bytes
    )
    try connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
    let insert = try connection.statement("INSERT INTO rows (body) VALUES (?1)")
    return try Measure.seconds {
      for start in stride(from: 0, to: lines.count, by: 200) {
        try connection.begin()
        for line in lines[start..<min(start + 200, lines.count)] {
          try insert.bind(1, text: line.span)
          try insert.run()
        }
        try connection.commit()
      }
      connection.close()
    }
  }

  private static func store(_ rows: [PreparedRow], _ namespace: Namespace) throws -> Double {
    let folder = try Folder()
    let key = RawKey(SecureRandom.secret(32))
    let store = try Store.create(at: folder.path + "/store") { content, id in
      [.key(RawKeySlot(content, of: id, for: key))]
    }
    let digest = SHA256.digest([1].span)
    let session = try store.begin(
      SourceDescription(
        key: SourceKey(exportId: "bench", manifest: digest, jsonl: digest),
        origin: .device,
        namespace: namespace,
        exportedAt: "2026-09-03T14:05:11.000Z",
        label: "bench"
      ),
      tables: [.submissions]
    )
    return try Measure.seconds {
      for (i, row) in rows.enumerated() {
        _ = try session.add(row)
        if (i + 1) % 200 == 0 { try session.commit(at: SourceCursor(row: i + 1)) }
      }
      try session.finish()
      store.close()
    }
  }

  /// A folder of one measurement's own, on the disk of the build.
  private final class Folder {
    let path: String

    init() throws {
      var template = Array(".build/rasdkit-bench-XXXXXX".utf8CString)
      guard unsafe mkdtemp(&template) != nil else {
        throw RasdError(.unavailable, .ioError, ["errno": .number(Int64(errno))])
      }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      Self.remove(path)
    }

    private static func remove(_ path: String) {
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { return }
      guard status.st_mode & S_IFMT == S_IFDIR, let folder = unsafe opendir(path) else {
        unsafe unlink(path)
        return
      }
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
          unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if name != "." && name != ".." { remove(path + "/" + name) }
      }
      unsafe closedir(folder)
      unsafe rmdir(path)
    }
  }
}
