import Foundation
import RasdModel
import TestSupport
import Testing

@testable import RasdSalvage

/// Rollback journals: hot, finished in PERSIST mode, encrypted, and of another database.
@Suite("Pages of rollback journals", .databaseTools)
struct PagesJournalTests {
  /// A database after a transaction, its journal, and the pages before it by number.
  private struct Made {
    let before: [UInt8]
    let after: [UInt8]
    let journal: [UInt8]
  }

  private func make(_ key: String?, mode: String, cacheSize: Int = 0, seed: Int = 0) throws -> Made
  {
    let folder = try TemporaryDirectory()
    let program = """
      import sys, shutil, sqlcipher3, random
      path, key, mode, cache, seed = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5]
      r = random.Random(int(seed))
      c = sqlcipher3.connect(path, isolation_level=None)
      if key: c.execute('PRAGMA key = ' + key)
      c.execute('PRAGMA journal_mode=' + mode)
      if int(cache): c.execute('PRAGMA cache_size=' + cache)
      c.execute('create table t(id integer primary key, body text)')
      c.execute('begin')
      for i in range(900): c.execute('insert into t values(?,?)', (i, r.randbytes(60).hex()))
      c.execute('commit')
      shutil.copy(path, path + '.before')
      c.execute('begin')
      c.execute("update t set body = 'changed ' || body where id % 5 = 0")
      if mode == 'persist': c.execute('commit')
      shutil.copy(path, path + '.after')
      shutil.copy(path + '-journal', path + '.journal')
      """
    let path = folder.file("a.db")
    let run = try Python.run(program: program, [path, key ?? "", mode, "\(cacheSize)", "\(seed)"])
    try #require(run.status == 0, "\(run.errorText)")
    return Made(
      before: try File.read(path + ".before"),
      after: try File.read(path + ".after"),
      journal: try File.read(path + ".journal")
    )
  }

  private static let hex = String(repeating: "5a", count: 32)

  private func open(_ made: Made, encrypted: Bool, journal: [UInt8]? = nil) throws -> PageSource {
    try PageSource.open(
      database: ByteStore(made.after),
      journals: [ByteStore(journal ?? made.journal)],
      options: encrypted ? .raw(Self.hex) : .init()
    )
  }

  private func history(_ source: PageSource) async throws -> [Page] {
    var pages: [Page] = []
    try await source.forEachHistoricalPage(workers: 2) {
      $0
    } consume: {
      pages.append($0)
    }
    return pages
  }

  @Test("Every pre-image is history, also when the header is zeroed", arguments: [false, true])
  func persist(encrypted: Bool) async throws {
    let key = encrypted ? "\"x'\(Self.hex)'\"" : nil
    let made = try make(key, mode: "persist")
    let source = try open(made, encrypted: encrypted)
    #expect(source.findings.contains { $0.kind == .journalHeaderLost })
    let old = try PageSource.open(
      database: ByteStore(made.before),
      options: encrypted ? .raw(Self.hex) : .init()
    )
    let pages = try await history(source)
    // Each page of the table changed; the journal holds all of them as they were.
    #expect(pages.count >= 20)
    for page in pages {
      let original = try #require(old.current(page.number))
      #expect(page.bytes.prefix(page.usable) == original.bytes.prefix(original.usable))
      #expect(page.verdict == (encrypted ? .intact : .unproved))
      #expect(page.standing == .history)
    }
    let changed = (1...old.pageCount).filter {
      let a = old.current($0), b = source.current($0)
      return a?.bytes.prefix(old.usableSize) != b?.bytes.prefix(old.usableSize)
    }
    #expect(Set(changed).isSubset(of: Set(pages.map(\.number))))
  }

  @Test("A hot journal in several segments", arguments: [false, true])
  func hot(encrypted: Bool) async throws {
    let key = encrypted ? "\"x'\(Self.hex)'\"" : nil
    // Few pages of cache: the journal is synced in between, the database half written.
    let made = try make(key, mode: "delete", cacheSize: 8)
    let source = try open(made, encrypted: encrypted)
    #expect(source.findings.contains { $0.kind == .journalHot })
    let old = try PageSource.open(
      database: ByteStore(made.before),
      options: encrypted ? .raw(Self.hex) : .init()
    )
    let pages = try await history(source)
    let changed = (1...old.pageCount).filter {
      let a = old.current($0), b = source.current($0)
      return a?.bytes.prefix(old.usableSize) != b?.bytes.prefix(old.usableSize)
    }
    #expect(!changed.isEmpty)
    #expect(Set(changed).isSubset(of: Set(pages.map(\.number))))
    for page in pages {
      let original = try #require(old.current(page.number))
      #expect(page.bytes.prefix(page.usable) == original.bytes.prefix(original.usable))
    }
  }

  @Test("A flipped bit costs one pre-image")
  func flipped() async throws {
    let made = try make("\"x'\(Self.hex)'\"", mode: "persist")
    var journal = made.journal
    journal[512 + (4_096 + 8) * 5 + 1_000] ^= 1
    let pages = try await history(try open(made, encrypted: true, journal: journal))
    #expect(pages.count { $0.verdict == .hmacFailed } == 1)
    #expect(pages.count { $0.verdict == .intact } >= 20)
  }

  @Test("Another database's journal is kept apart", arguments: [false, true])
  func foreign(encrypted: Bool) async throws {
    let key = encrypted ? "\"x'\(Self.hex)'\"" : nil
    let made = try make(key, mode: "persist")
    let other = try make(
      encrypted ? "'another'" : nil,
      mode: "persist",
      seed: 5
    )
    let source = try open(made, encrypted: encrypted, journal: other.journal)
    #expect(source.findings.contains { $0.kind == .journalForeign })
    #expect(try await history(source).isEmpty)
  }
}
