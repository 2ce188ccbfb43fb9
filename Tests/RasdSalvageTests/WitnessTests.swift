import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdSalvage

/// What indexes testify of rows that were found where deleted ones lie.
@Suite("Witnesses")
struct WitnessTests {
  /// A database whose index pages no tree reaches any more, with a stale copy of a live row.
  struct Scene {
    let database: [UInt8]
    /// Of the row whose page is lost while a copy lies in another page's free bytes.
    let lost: String
    let alive: Set<String>
  }

  private static func id(_ number: Int) -> String {
    let digits = String(repeating: "0", count: 12) + "\(number * 7_919)"
    return "0190aaaa-bbbb-7ccc-8ddd-" + digits.suffix(12)
  }

  /// Every id stood in table `t`; those that 5 divides are deleted, and table `s` still names them.
  private static func scene() throws -> Scene {
    var roots: [UInt32] = []
    var database = try Plain.database { connection in
      try connection.execute(
        """
        PRAGMA page_size = 1024; PRAGMA secure_delete = OFF;
        CREATE TABLE t (id TEXT PRIMARY KEY, note TEXT NOT NULL);
        CREATE TABLE s (n INTEGER PRIMARY KEY, ref TEXT NOT NULL);
        CREATE INDEX s_ref ON s (ref);
        INSERT INTO s VALUES (500, 'another');
        """
      )
      for number in 1...120 {
        try connection.execute(
          """
          INSERT INTO t VALUES ('\(id(number))', 'note \(number) of the camp by the river');
          INSERT INTO s (ref) VALUES ('\(id(number))');
          """
        )
      }
      for number in stride(from: 5, through: 120, by: 5) {
        try connection.execute("DELETE FROM t WHERE id = '\(id(number))'")
      }
      let query = try connection.prepare(
        "SELECT rootpage FROM sqlite_schema WHERE type = 'index'"
      )
      while try query.step() { roots.append(UInt32(query.integer(0))) }
    }
    // A live row's cell, copied into the gap of another page, as a page that was split keeps it.
    let leaves = try Self.leaves(database)
    let whole = try #require(leaves.first)
    let cell = try #require(whole.cells.cells.first?.cell)
    let gaps = leaves.dropFirst().flatMap { leaf in
      leaf.cells.regions().filter { $0.kind == .gap && $0.range.count > cell.end - cell.start + 8 }
        .map { (page: leaf.page, end: $0.range.upperBound) }
    }
    let gap = try #require(gaps.first)
    let from = Int(whole.page - 1) * 1024
    let copy = Array(database[from + cell.start..<from + cell.end])
    let to = Int(gap.page - 1) * 1024 + gap.end - copy.count - 4
    database.replaceSubrange(to..<to + copy.count, with: copy)
    let payload = database[from + cell.payloadStart..<from + cell.payloadStart + cell.local]
    let lost = String(decoding: payload.dropFirst(3).prefix(36), as: UTF8.self)
    // Its own page is lost, and with the roots of the indexes what their pages are.
    for page in [whole.page] + roots {
      let start = Int(page - 1) * 1024
      for at in start..<start + 1024 { database[at] = 0xA5 }
    }
    let alive = (1...120).filter { !$0.isMultiple(of: 5) }.map(Self.id)
    return Scene(database: database, lost: lost, alive: Set(alive))
  }

  /// The leaves of `t`.
  private static func leaves(_ database: [UInt8]) throws -> [(page: UInt32, cells: LeafCells)] {
    let source = try PageSource.open(database: ByteStore(database), options: .init())
    return (2...source.pageCount).compactMap { number in
      guard let page = source.current(number),
        let cells = LeafCells(page, spill: SpillRule(usable: source.usableSize)),
        cells.header.kind == .tableLeaf, cells.cells.first.map({ $0.cell.payloadSize > 60 }) == true
      else { return nil }
      return (number, cells)
    }
  }

  @Test("An index page that no tree reaches testifies for a live row, and for no deleted one")
  func stray() async throws {
    let scene = try Self.scene()
    let rescue = try await Rescue(scene.database)
    let deleted = Set(rescue.deleted("t").map { $0.values[0] })
    let lost = rescue.rows.filter { $0.values[0] == .text(scene.lost) }
    #expect(scene.alive.contains(scene.lost))
    #expect(lost.map(\.kind) == [.orphan])
    #expect(lost.first?.notes.contains(.alive) == true)
    #expect(deleted.isDisjoint(with: scene.alive.map { .text($0) }))
    // The index of `s` lists them all; it is no witness of what is alive in `t`.
    #expect(deleted.count >= 18, "\(deleted.count)")
    #expect(rescue.ledger.isBalanced)
  }
}
