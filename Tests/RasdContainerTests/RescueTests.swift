import Foundation
import RasdContainer
import RasdCrypto
import RasdModel
import TestSupport
import Testing

/// What is got out of damaged exports: every row and byte outside the damage, none altered.
@Suite struct RescueTests {
  /// Takes rows and bytes as they come.
  struct Taken: RescueTaker {
    var rows: [String: [Int: [UInt8]]] = [:]
    var blobs: [String: [Int: UInt8]] = [:]

    mutating func row(
      _ line: Span<UInt8>,
      _ table: TableName,
      _ place: RescuePlace,
      number: Int
    ) throws(RasdError) {
      var bytes: [UInt8] = []
      for i in line.indices { bytes.append(line[i]) }
      rows[table.text, default: [:]][number] = bytes
    }

    mutating func blob(
      _ bytes: Span<UInt8>,
      _ id: BlobID,
      _ place: RescuePlace,
      offset: Int
    ) throws(RasdError) {
      for i in bytes.indices { blobs[id.text, default: [:]][offset + i] = bytes[i] }
    }
  }

  private static func make(_ suite: String, in folder: TemporaryDirectory) throws -> String {
    let path = folder.file("\(suite).rasdx")
    let program = """
      import random, sys, rasdx
      rng = random.Random(4)
      rows = [{"id": f"r{i}", "n": i, "text": "water " * rng.randrange(30)} for i in range(300)]
      blobs = {f"b{i}": rng.randbytes(40_000 + i) for i in range(6)}
      rasdx.write(sys.argv[1], namespace="wfp-jo.u_1", exported_at="2026-09-01T00:00:00Z",
                  tables={"kv": rows, "x_notes": rows[:40]}, blobs=blobs, rng=rng, suite=sys.argv[2],
                  slots=[("key", bytes(range(32)))], row_part=3000, blob_part=30_000,
                  deflate=len(sys.argv) > 3)
      """
    let made = try Python.run(program: program, [path, suite])
    try #require(made.status == 0, "\(made.errorText)")
    return path
  }

  private static func rescue(
    _ path: String,
    _ keyFile: String
  ) throws -> (Taken, RescueAccount)? {
    var credentials = Credentials()
    try credentials.addKeyFile(keyFile)
    guard let export = try? DamagedExport(path: path) else { return nil }
    var taken = Taken()
    let account = try export.rescue(credentials, plaintext: .refused, into: &taken)
    return (taken, account)
  }

  @Test(
    "cut, overwritten, headless",
    .containerTools,
    arguments: ["c2sp-chunked-aes256gcm-sha512", "a256gcm-envelope"]
  )
  func damaged(_ suite: String) throws {
    let folder = try TemporaryDirectory()
    let path = try Self.make(suite, in: folder)
    let digits = (UInt8(0)..<32).map { Hex.encode([$0]) }.joined()
    let keyFile = try folder.write(digits, to: "raw.key")
    let whole = try File.read(path)
    let (truth, account) = try #require(try Self.rescue(path, keyFile))
    #expect(truth.rows["kv"]?.count == 300 && truth.rows["x_notes"]?.count == 40)
    #expect(truth.blobs.count == 6)
    #expect(account.tables.values.allSatisfy { $0.isWhole } && account.lost.isEmpty)
    var random = SeededGenerator(for: "damaged")

    for round in 0..<Soak.rounds(short: 40, long: 400) {
      var bytes = whole
      let at = Int.random(in: 0..<whole.count, using: &random)
      switch round % 4 {
      case 0: bytes.removeLast(whole.count - at)
      case 1: bytes[at] ^= 0x40
      case 2: for i in at..<min(at + 5000, whole.count) { bytes[i] = 0 }
      default:
        bytes[4] ^= 0xFF
        for i in 40..<60 { bytes[i] = 0 }
      }
      let damaged = try folder.write(bytes, to: "damaged-\(round)")
      guard let (taken, account) = try Self.rescue(damaged, keyFile) else {
        // Only a cut before the end of the manifest leaves nothing to open with.
        #expect(round % 4 == 0 && at < 2000, "round \(round) at \(at)")
        continue
      }
      for (table, rows) in taken.rows {
        for (number, row) in rows {
          #expect(row == truth.rows[table]?[number], "round \(round): \(table) \(number)")
        }
        let name = try #require(TableName(table))
        let counted = try #require(account.tables[name])
        #expect(counted.count == rows.count, "round \(round)")
      }
      for (id, blob) in taken.blobs {
        for (offset, byte) in blob where byte != truth.blobs[id]?[offset] {
          Issue.record("round \(round): blob \(id) at \(offset)")
          return
        }
      }
      let lost = 340 - taken.rows.values.reduce(0) { $0 + $1.count }
      if round % 4 == 1 {
        // One flipped bit costs a chunk or an entry; a part here holds some 30 rows.
        #expect(lost <= 60, "round \(round): \(lost) rows lost")
      }
      if round % 4 == 3 { #expect(lost == 0, "round \(round)") }
    }
  }
}
