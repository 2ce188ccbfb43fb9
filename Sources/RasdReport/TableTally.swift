package import RasdModel

/// Outcomes of rows by table.
package struct TableTally: Hashable, Sendable {
  package private(set) var tables: [TableName: RowTally] = [:]

  package init() {}

  package subscript(table: TableName) -> RowTally {
    get { tables[table] ?? RowTally() }
    set { tables[table] = newValue }
  }

  package var sum: RowTally {
    tables.values.reduce(into: RowTally()) { $0 += $1 }
  }

  package static func += (a: inout TableTally, b: TableTally) {
    for (table, tally) in b.tables { a[table] += tally }
  }

  /// An object by table, of an object by outcome; tables in order of name.
  package var members: Members {
    var members = Members()
    for (table, tally) in tables.sorted(by: { $0.key < $1.key }) {
      var counts = Members()
      for outcome in RowOutcome.allCases { counts.add(outcome.rawValue, tally[outcome]) }
      members.add(table.text, counts)
    }
    return members
  }
}
