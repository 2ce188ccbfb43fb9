package import RasdModel

/// What became of every page and every candidate row; the sums agree.
package struct SalvageLedger: Sendable {
  /// Rows by what they are.
  package struct Line: Hashable, Sendable {
    package let table: Int
    package let kind: RowKind
    package let grade: Grade
  }

  /// Rows that were delivered.
  package internal(set) var delivered: [Line: Int] = [:]
  /// Cells and records that were looked at: the sum of the numbers below and `delivered`.
  package internal(set) var candidates = 0
  /// Carved copies of rows that were delivered as live.
  package internal(set) var leftovers = 0
  /// Carved copies of rows that were delivered as deleted.
  package internal(set) var duplicates = 0
  /// Rows of `sqlite_schema`.
  package internal(set) var schemaRows = 0
  /// Cells that hold no record.
  package internal(set) var undecodable = 0
  /// Carved records with values that their columns can't hold.
  package internal(set) var implausible = 0

  package var deliveredCount: Int { delivered.values.reduce(0, +) }
  package var isBalanced: Bool {
    candidates == deliveredCount + leftovers + duplicates + schemaRows + undecodable + implausible
  }

  mutating func deliver(_ batch: RowBatch) {
    for row in batch.rows {
      delivered[Line(table: row.table, kind: row.kind, grade: row.grade), default: 0] += 1
    }
    candidates += batch.rows.count
  }
}
