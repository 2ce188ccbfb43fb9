import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// Every prefix and random mutations of small databases, from bytes to rows: whatever the input,
/// it ends, and the ledger's sums agree.
@Suite("Rows of hostile files")
struct HostileRowTests {
  struct Subject: Sendable, CustomStringConvertible {
    let description: String
    let database: [UInt8]
    var wal: [UInt8] = []
    var journal: [UInt8] = []
    var isEncrypted = false
  }

  static let subjects = [
    Subject(
      description: "plain with WAL",
      database: Fixture.bytes("plain-512.db"),
      wal: Fixture.bytes("plain-512.db-wal")
    ),
    Subject(
      description: "encrypted",
      database: Fixture.bytes("cipher4-1024.db"),
      wal: Fixture.bytes("cipher4-1024.db-wal"),
      isEncrypted: true
    ),
    Subject(
      description: "everything",
      database: (try? everything()) ?? [],
      journal: Fixture.bytes("plain-512.db-journal")
    ),
  ]

  /// A database with something of each kind that a page can hold.
  private static func everything() throws -> [UInt8] {
    try Plain.database(
      "PRAGMA page_size = 512; PRAGMA encoding = 'UTF-16le'; PRAGMA auto_vacuum = INCREMENTAL",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT, n INT DEFAULT 3, r REAL, g AS (n * 2) STORED);
      CREATE INDEX t_note ON t (note);
      CREATE TABLE w (k TEXT, v BLOB, PRIMARY KEY (k)) WITHOUT ROWID;
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 60)
      INSERT INTO t (note, n, r) SELECT 'note ' || i, i * i * i, i / 3.0 FROM c;
      INSERT INTO w SELECT note, zeroblob(n % 900) FROM t WHERE id < 25;
      DELETE FROM t WHERE id % 5 = 0;
      DELETE FROM w WHERE k > 'note 2';
      ALTER TABLE t ADD COLUMN later TEXT DEFAULT 'x'
      """
    )
  }

  private func read(
    _ subject: Subject,
    _ database: [UInt8],
    wal: [UInt8]? = nil,
    journal: [UInt8]? = nil
  ) async {
    let rescue = try? await Rescue(
      database,
      wal: wal ?? subject.wal,
      journal: journal ?? subject.journal,
      options: subject.isEncrypted ? .raw(Fixture.key) : .init()
    )
    guard let rescue else { return }
    #expect(rescue.ledger.isBalanced)
    #expect(rescue.rows.count == rescue.ledger.deliveredCount)
  }

  @Test("Every prefix", arguments: subjects)
  func prefixes(subject: Subject) async throws {
    try #require(!subject.database.isEmpty)
    let step = Soak.rounds(short: 997, long: 1)
    for end in stride(from: 0, through: subject.database.count, by: step) {
      await read(subject, Array(subject.database.prefix(end)))
    }
  }

  @Test("Random mutations", arguments: subjects)
  func mutations(subject: Subject) async throws {
    try #require(!subject.database.isEmpty)
    var random = SeededGenerator(for: "mutations of \(subject)")
    for _ in 0..<Soak.rounds(short: 40, long: 10_000) {
      await read(
        subject,
        Self.mutated(subject.database, &random),
        wal: Bool.random(using: &random) ? Self.mutated(subject.wal, &random) : subject.wal,
        journal: Self.mutated(subject.journal, &random)
      )
    }
  }

  private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, at + Int.random(in: 1...64, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
      // Page headers and their pointers are where a parser can be led astray.
      case 2:
        let place = at / 512 * 512 + Int.random(in: 0..<16, using: &random)
        if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case 3: for i in at..<end { bytes[i] = 0xFF }
      case 4: for i in at..<end { bytes[i] = bytes[(i * 7) % bytes.count] }
      default: if bytes.count > 1_024 { bytes.removeSubrange(at..<end) }
      }
    }
    return bytes
  }
}
