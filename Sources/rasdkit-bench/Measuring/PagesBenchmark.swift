import Glibc
import RasdCrypto
import RasdModel
import RasdSalvage
import SQLCipherKit

/// Pages of an encrypted database verified and decrypted on two cores, against libcrypto alone doing
/// HMAC-SHA-512 and AES-256-CBC on as many bytes and cores.
struct PagesBenchmark {
  private static let key = [UInt8](repeating: 0x5A, count: 32)
  private static let cores = 2

  static func run() async throws -> [Finding] {
    let file = try EvidenceFile(path: try database())
    var options = PageSource.Options()
    let secret = key
    options.keys = [.raw(Secret(copying: secret.span), salt: nil)]
    let source = try PageSource.open(database: ByteStore(file), options: options)
    // In turns, so that what else the machine does falls on both.
    var pages = Double.infinity
    var alone = Double.infinity
    for _ in 0..<5 {
      pages = min(pages, try await seconds { try await decode(source) })
      alone = min(alone, await seconds { await libcrypto(pages: Int(source.pageCount)) })
    }
    let megabytes = Double(file.size) / 1e6
    return [
      Finding("pages verified and decrypted", megabytes / pages, "MB/s"),
      Finding("libcrypto alone", megabytes / alone, "MB/s"),
      Finding("pages against it", alone / pages, "times", .atLeast(0.7)),
    ]
  }

  /// 130 MB of blobs under SQLCipher 4's defaults.
  private static func database() throws -> String {
    let path = BenchInput.folder + "/pages.db"
    guard unsafe access(path, F_OK) != 0 else { return path }
    try OutputFile.makeFolder(BenchInput.folder)
    let key = key
    let connection = try Connection(path: path, access: .create, rawKey: key.span)
    try connection.execute("CREATE TABLE blobs (body BLOB)")
    try connection.execute(
      """
      INSERT INTO blobs WITH RECURSIVE n (i) AS
      (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 32000) SELECT randomblob(3000) FROM n
      """
    )
    _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    return path
  }

  private static func seconds<E: Error>(_ body: () async throws(E) -> Void) async throws(E)
    -> Double
  {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private static func decode(_ source: PageSource) async throws(RasdError) {
    var intact: UInt32 = 0
    try await source.forEachPage(workers: cores) {
      $0.verdict == .intact
    } consume: {
      intact += $0 ? 1 : 0
    }
    precondition(intact == source.pageCount, "a page of a sound database that is not intact")
  }

  private static func libcrypto(pages: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<cores { group.addTask { libcrypto(times: pages / cores) } }
    }
  }

  private static func libcrypto(times: Int) {
    let key = key
    var mac = HMAC(.sha512, key: key.span)
    var cipher = AES256CBC(.decrypt, key: key.span)
    let page = [UInt8](repeating: 7, count: 4_096)
    let number: [UInt8] = [1, 0, 0, 0]
    for _ in 0..<times {
      mac.update(page.span.extracting(0..<4_032))
      mac.update(number.span)
      Measure.keep(mac.finish(verifying: page.span.extracting(4_032..<4_096)))
      Measure.keep(
        [UInt8](capacity: 4_016) {
          cipher.apply(
            page.span.extracting(0..<4_016),
            iv: page.span.extracting(4_016..<4_032),
            into: &$0
          )
        }
      )
    }
  }
}
