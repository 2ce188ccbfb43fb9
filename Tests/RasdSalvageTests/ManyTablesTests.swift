import RasdModel
import SQLCipherKit
import TestSupport
import Testing

@testable import RasdSalvage

/// What a page costs in a database of thousands of tables.
@Suite("Many tables")
struct ManyTablesTests {
  private func salvage(tables count: Int) async throws -> Salvage {
    let database = try Plain.database { connection in
      try connection.execute("BEGIN")
      for i in 0..<count {
        try connection.execute(
          "CREATE TABLE t\(i) (id INTEGER PRIMARY KEY, note\(i) TEXT, at\(i % 3) REAL)"
        )
      }
      try connection.execute("CREATE INDEX t7_note ON t7 (note7); COMMIT; DROP TABLE t8")
      try connection.execute("INSERT INTO t7 VALUES (1, 'camp', 2.5), (2, 'river', 3)")
    }
    let namespace = try #require(Namespace("example.u_1"))
    var salvage = Salvage(
      try PageSource.open(database: ByteStore(database), options: .init()),
      profiles: [],
      options: .init(namespace: namespace)
    )
    try await salvage.survey()
    return salvage
  }

  @Test("What is tried on each page does not grow with the tables")
  func work() async throws {
    for count in [100, 1_000] {
      let salvage = try await salvage(tables: count)
      #expect(salvage.tables.count >= count)
      let plan = salvage.plan()
      // `sqlite_schema`, and one kind of table for all.
      #expect(plan.attribution.kinds.map(\.count) == [1, salvage.tables.count - 1])
      #expect(plan.carved.count == 64)
    }
  }

  @Test("Rows find their table among thousands of one shape")
  func rows() async throws {
    var salvage = try await salvage(tables: 1_000)
    let tables = salvage.tables
    var names: [String] = []
    let ledger = try await salvage.rows { batch in
      names += batch.rows.map { tables[$0.table].name }
    }
    #expect(names == ["t7", "t7"])
    #expect(ledger.isBalanced)
  }
}
