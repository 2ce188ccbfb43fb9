import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// Bytes that nobody meant to be read: no crash, no hang, and nothing that cannot be.
@Suite("Pages of hostile files")
struct PagesHostileTests {
  static let database = Fixture.bytes("plain-512.db")
  static let wal = Fixture.bytes("plain-512.db-wal")
  static let journal = Fixture.bytes("plain-512.db-journal")
  static let encrypted = Fixture.bytes("cipher4-1024.db")

  /// Reads everything a source gives, one page after the other.
  private func drain(_ source: PageSource) {
    #expect(PageLayout.isPageSize(source.pageSize))
    for number in 0...min(source.pageCount, 200) {
      let pages = [source.current(number)].compactMap { $0 } + source.disputed(number)
      for page in pages {
        #expect(page.bytes.count == source.pageSize)
        for range in page.unreadable { #expect(range.upperBound <= source.pageSize) }
      }
    }
    source.withDecoder { decoder in
      for reference in source.overlay.history.prefix(200) { _ = source.read(reference, decoder) }
    }
  }

  private func open(
    _ database: [UInt8],
    wal: [UInt8] = [],
    journal: [UInt8] = [],
    key: Bool = false
  ) {
    let source = try? PageSource.open(
      database: ByteStore(database),
      wals: wal.isEmpty ? [] : [ByteStore(wal)],
      journals: journal.isEmpty ? [] : [ByteStore(journal)],
      options: key ? .raw(Fixture.key) : .init()
    )
    if let source { drain(source) }
  }

  @Test("Every prefix of a database, a WAL and a journal")
  func prefixes() {
    let step = Soak.rounds(short: 61, long: 1)
    for end in stride(from: 0, to: Self.database.count, by: step) {
      open(Array(Self.database.prefix(end)))
    }
    for end in stride(from: 0, to: Self.wal.count, by: step) {
      open(Self.database, wal: Array(Self.wal.prefix(end)))
    }
    for end in stride(from: 0, to: Self.journal.count, by: step) {
      open(Self.database, journal: Array(Self.journal.prefix(end)))
    }
    for end in stride(from: 0, to: Self.encrypted.count, by: step * 9) {
      open(Array(Self.encrypted.prefix(end)), key: true)
    }
  }

  @Test("Random bytes in random places")
  func mutations() {
    var random = SeededGenerator()
    func mutated(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2:
          for i in at..<min(bytes.count, at + 40) { bytes[i] = 0xFF }
        default: bytes.removeSubrange(at..<min(bytes.count, at + 3))
        }
      }
      return bytes
    }
    for _ in 0..<Soak.rounds(short: 150, long: 10_000) {
      open(mutated(Self.database), wal: mutated(Self.wal), journal: mutated(Self.journal))
    }
    for _ in 0..<Soak.rounds(short: 30, long: 2_000) {
      open(mutated(Self.encrypted), key: true)
    }
  }

  @Test("Files that are not databases have a reason each")
  func reasons() throws {
    #expect(throws: RasdError(.corrupt, .empty)) {
      try PageSource.open(database: ByteStore([]))
    }
    for bytes in [Array("a note, no database".utf8), [UInt8](repeating: 0, count: 9_000)] {
      #expect(throws: RasdError(.corrupt, .notADatabase)) {
        try PageSource.open(database: ByteStore(bytes))
      }
    }
    var random = SeededGenerator(seed: 1)
    let noise = random.bytes(20_000)
    #expect(throws: RasdError(.keyUnavailable, .noKeyGiven)) {
      try PageSource.open(database: ByteStore(noise))
    }
    #expect(throws: RasdError(.keyUnavailable, .wrongKey)) {
      try PageSource.open(database: ByteStore(noise), options: .raw(Fixture.key))
    }
    #expect(throws: RasdError(.keyUnavailable, .keyFileInvalid)) {
      try PageSource.open(database: ByteStore(noise), options: .raw("5a5a"))
    }
  }

  @Test("A WAL that numbers a page four billion does not make four billion pages")
  func sparseNumbers() throws {
    var wal = Self.wal
    // Its checksum put right, the frame is as good as any.
    wal.replaceSubrange(32..<36, with: [0xFF, 0xFF, 0xFF, 0xFE])
    var sum = WALChecksum(s0: wal.span.u32(24), s1: wal.span.u32(28))
    let order: WALChecksum.Order = wal[3] & 1 == 1 ? .big : .little
    sum.add(wal.span.extracting(32..<40), order)
    sum.add(wal.span.extracting(56..<568), order)
    for (i, word) in [sum.s0, sum.s1].enumerated() {
      for j in 0..<4 { wal[48 + 4 * i + j] = UInt8(truncatingIfNeeded: word >> (24 - 8 * j)) }
    }
    let source = try PageSource.open(
      database: ByteStore(Self.database),
      wals: [ByteStore(wal)]
    )
    #expect(source.overlay.newest[0xFFFF_FFFE] != nil)
    #expect(source.pageCount < 1_000_000)
  }
}
