import Foundation
import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// What the page source does, on the small databases that stand beside the tests.
@Suite("Pages of the fixtures")
struct PagesFixtureTests {
  private func text(_ pages: [Page]) -> Data {
    Data(pages.flatMap { $0.bytes.prefix($0.usable) })
  }

  private func all(_ source: PageSource) -> [Page] {
    (1...source.pageCount).compactMap { source.current($0) }
  }

  private func rows(_ text: Data) -> Set<Int> {
    Set((0..<60).filter { text.range(of: Data("visit \($0) of the camp ".utf8)) != nil })
  }

  private func plain(_ wal: [UInt8]? = nil, journal: [UInt8]? = nil) throws -> PageSource {
    try PageSource.open(
      database: ByteStore(Fixture.bytes("plain-512.db")),
      wals: (wal.map { [ByteStore($0)] } ?? []),
      journals: journal.map { [ByteStore($0)] } ?? []
    )
  }

  @Test("A WAL's committed frames are the current pages, what they supersede is history")
  func overlay() async throws {
    let wal = Fixture.bytes("plain-512.db-wal")
    #expect(rows(text(all(try plain()))) == Set(0..<40))
    let source = try plain(wal)
    #expect(rows(text(all(source))) == Set(0..<60))
    #expect(source.pageSize == 512)
    #expect(source.encoding == .utf8)
    var history: [Page] = []
    try await source.forEachHistoricalPage(workers: 2) {
      $0
    } consume: {
      history.append($0)
    }
    #expect(history.contains { $0.origin == .database })
    #expect(history.allSatisfy { $0.standing == .history })
    var streamed: [UInt32] = []
    try await source.forEachPage(workers: 3) {
      $0
    } consume: { page throws(RasdError) in
      streamed.append(page.number)
      let looked = source.current(page.number)
      #expect(looked?.bytes == page.bytes)
      #expect(looked?.fileOffset == page.fileOffset)
    }
    #expect(streamed == Array(1...source.pageCount))
  }

  @Test("A frame past the last commit is history, and says so")
  func uncommitted() async throws {
    let wal = Fixture.bytes("plain-512.db-wal")
    let file = try #require(WALFile.open(ByteStore(wal), pageSizes: []))
    let commits = file.frames.indices.filter { file.frames[$0].commit != 0 }
    #expect(commits.count == 2)
    let cut = Array(wal.prefix(Int(file.offset(ofFrame: commits[1]))))
    let source = try plain(cut)
    #expect(source.findings.contains { $0.kind == .walUncommitted })
    #expect(rows(text(all(source))).isSuperset(of: 0..<50))
    var states: [WALFrameState] = []
    try await source.forEachHistoricalPage(workers: 1) {
      $0
    } consume: {
      if case .wal(_, _, let state) = $0.origin { states.append(state) }
    }
    #expect(states.count { $0 == .uncommitted } == commits[1] - commits[0] - 1)
  }

  @Test("Frames of an earlier generation behind the current one are history")
  func earlierGeneration() async throws {
    // A WAL that was restarted: its first frames rewritten under new salts, the rest left over.
    let old = Fixture.bytes("plain-512.db-wal")
    let file = try #require(WALFile.open(ByteStore(old), pageSizes: []))
    let commit = try #require(file.frames.firstIndex { $0.commit != 0 })
    let step = 536
    var wal = old
    for i in 16..<24 { wal[i] ^= 0x55 }
    var sum = WALChecksum()
    func seal(_ at: Int) {
      for (i, word) in [sum.s0, sum.s1].enumerated() {
        for j in 0..<4 { wal[at + 4 * i + j] = UInt8(truncatingIfNeeded: word >> (24 - 8 * j)) }
      }
    }
    sum.add(wal.span.extracting(0..<24), file.order)
    seal(24)
    for frame in 0...commit {
      let at = 32 + frame * step
      for i in 8..<16 { wal[at + i] ^= 0x55 }
      sum.add(wal.span.extracting(at..<(at + 8)), file.order)
      sum.add(wal.span.extracting((at + 24)..<(at + step)), file.order)
      seal(at + 16)
    }
    let again = try #require(WALFile.open(ByteStore(wal), pageSizes: []))
    #expect(again.frames.prefix(commit + 1).allSatisfy { $0.state == .committed })
    #expect(again.frames.dropFirst(commit + 1).allSatisfy { $0.state == .earlier })
    #expect(!again.frames.contains { $0.link == .broken })
    let source = try plain(wal)
    #expect(rows(text(all(source))).isSuperset(of: 0..<50))
    var earlier = 0
    try await source.forEachHistoricalPage(workers: 1) {
      $0
    } consume: {
      if case .wal(_, _, .earlier) = $0.origin { earlier += 1 }
    }
    #expect(earlier == file.frames.count - commit - 1)
  }

  @Test("A finished journal's pre-images are history")
  func journal() async throws {
    let source = try plain(journal: Fixture.bytes("plain-512.db-journal"))
    #expect(source.findings.contains { $0.kind == .journalHeaderLost })
    var pages: [Page] = []
    try await source.forEachHistoricalPage(workers: 1) {
      $0
    } consume: {
      pages.append($0)
    }
    #expect(pages.count == (5_192 - 512) / 520)
    for page in pages where page.number > 1 {
      // The update was undone: the fixture is the database as the journal's transaction found it.
      #expect(page.bytes == source.current(page.number)?.bytes)
    }
  }

  @Test("SQLCipher 4 with its WAL, every page proved")
  func encrypted() throws {
    let source = try PageSource.open(
      database: ByteStore(Fixture.bytes("cipher4-1024.db")),
      wals: [ByteStore(Fixture.bytes("cipher4-1024.db-wal"))],
      options: .raw(Fixture.key)
    )
    let pages = all(source)
    #expect(pages.allSatisfy { $0.verdict == .intact })
    #expect(rows(text(pages)) == Set(0..<60))
    #expect(source.usableSize == 1_024 - 80)
  }

  @Test("A wiped sector is blank, not noise; a cut page keeps what is there")
  func partsOfPages() throws {
    var bytes = Fixture.bytes("cipher4-1024.db")
    for i in 0..<512 { bytes[1_024 * 2 + 256 + i] = 0 }
    let source = try PageSource.open(database: ByteStore(bytes), options: .raw(Fixture.key))
    let whole = try PageSource.open(
      database: ByteStore(Fixture.bytes("cipher4-1024.db")),
      options: .raw(Fixture.key)
    )
    let page = try #require(source.current(3))
    let original = try #require(whole.current(3))
    #expect(page.verdict == .hmacFailed)
    #expect(page.unreadable == [256..<784])
    #expect(page.bytes[256..<784].allSatisfy { $0 == 0 })
    #expect(page.bytes[..<256] == original.bytes[..<256])
    #expect(page.bytes[784..<944] == original.bytes[784..<944])

    let cut = try PageSource.open(
      database: ByteStore(Array(bytes.prefix(1_024 * 4 + 600))),
      options: .raw(Fixture.key)
    )
    let last = try #require(cut.current(5))
    let expected = try #require(whole.current(5))
    // The IV at the page's end is gone, and with it the first block.
    #expect(last.unreadable == [0..<16, 592..<1_024])
    #expect(last.bytes[16..<592] == expected.bytes[16..<592])
  }

  @Test("Offsets beyond 4 GiB, and the page that SQLite locks")
  func largeFile() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Fixture.bytes("plain-512.db"), to: "large.db")
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seek(toOffset: 5 << 30)
    try handle.write(contentsOf: [UInt8](repeating: 7, count: 512))
    try handle.close()
    let source = try PageSource.open(database: ByteStore(try EvidenceFile(path: path)))
    #expect(source.pageCount == 10 * 1_048_576 + 1)
    #expect(source.current(source.pageCount)?.bytes == [UInt8](repeating: 7, count: 512))
    #expect(source.current(source.pageCount)?.fileOffset == 5 << 30)
    #expect(source.lockBytePage == 2_097_153)
    #expect(source.layout.offset(of: source.lockBytePage) == 1 << 30)
  }

  @Test("What stood beside a page of history, not what stands there today")
  func beside() async throws {
    let wal = Fixture.bytes("plain-512.db-wal")
    let bare = try plain()
    let source = try plain(wal)
    let file = try #require(WALFile.open(ByteStore(wal), pageSizes: []))
    let first = try #require(file.frames.firstIndex { $0.commit != 0 })
    let early = try plain(Array(wal.prefix(Int(file.offset(ofFrame: first + 1)))))
    var history: [Page] = []
    try await source.forEachHistoricalPage(workers: 1) {
      $0
    } consume: {
      history.append($0)
    }
    var seen = 0
    for page in history {
      for number in 1...bare.pageCount {
        let beside = source.page(number, beside: page)
        switch page.origin {
        case .database: #expect(beside?.bytes == bare.current(number)?.bytes)
        case .wal(_, let frame, _) where frame <= first + 1:
          #expect(beside?.bytes == early.current(number)?.bytes)
          seen += 1
        default: break
        }
      }
    }
    #expect(seen > 0)
  }
}
