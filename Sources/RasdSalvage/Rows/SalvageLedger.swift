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

  package internal(set) var documents = Documents()
  private var known = HashSet64()

  /// Documents that were put together: each is in one of the first four numbers, each chunk in
  /// one of the last two.
  package struct Documents: Hashable, Sendable {
    package internal(set) var whole = 0
    /// With holes.
    package internal(set) var partial = 0
    /// Whose own hash says that this is not what was written.
    package internal(set) var contradicted = 0
    /// Which no row names.
    package internal(set) var unlisted = 0
    /// Chunks that documents are made of.
    package internal(set) var joined = 0
    /// All that were read.
    package internal(set) var chunks = 0
    /// Further copies, and chunks that have no place in a document.
    package var spare: Int { chunks - joined }
    package var count: Int { whole + partial + contradicted + unlisted }
  }

  package var deliveredCount: Int { delivered.values.reduce(0, +) }
  package var isBalanced: Bool {
    candidates == deliveredCount + leftovers + duplicates + schemaRows + undecodable + implausible
  }

  /// Counts rows and documents; documents that are new are marked so.
  mutating func deliver(_ batch: inout RowBatch) {
    for row in batch.rows {
      delivered[Line(table: row.table, kind: row.kind, grade: row.grade), default: 0] += 1
      if let document = row.document { deliver(&batch.documents[document], row.grade) }
    }
    candidates += batch.rows.count
    for i in batch.documents.indices where !batch.documents[i].isListed {
      deliver(&batch.documents[i], nil)
    }
  }

  private mutating func deliver(_ document: inout SalvagedDocument, _ grade: Grade?) {
    guard known.insert(document.key) else { return }
    document.isNew = true
    documents.joined += document.chunkCount
    if !document.isListed {
      documents.unlisted += 1
    } else if !document.holes.isEmpty {
      documents.partial += 1
    } else if grade == .contradicted {
      documents.contradicted += 1
    } else {
      documents.whole += 1
    }
  }

  func knows(document: UInt64) -> Bool { known.contains(document) }
}
