package import RasdModel

/// The rows of one page, with the bytes they refer to.
package struct RowBatch: Sendable {
  /// What the values of `rows` point into.
  package internal(set) var bytes: [UInt8] = []
  /// What the JSON texts of `rows` point into.
  package internal(set) var text: [UInt8] = []
  package internal(set) var values: [SalvagedValue] = []
  package internal(set) var rows: [SalvagedRow] = []
  /// Documents that rows of the batch name, or that have chunks and no row.
  package internal(set) var documents: [SalvagedDocument] = []
  /// Where the pages of these rows lie.
  package internal(set) var origin: PageOrigin = .database

  package init() {}

  /// Makes room for a page's rows at once: arrays that grow bit by bit, on one thread, and are
  /// freed by another cost more than what is written into them.
  mutating func reserve(rows count: Int, of columns: Int, _ usable: Int) {
    rows.reserveCapacity(rows.count + count)
    values.reserveCapacity(values.count + count * columns)
    bytes.reserveCapacity(bytes.count + usable)
    text.reserveCapacity(text.count + 2 * usable)
  }

  /// The values of a row, in the order of its table's columns.
  package func values(of row: SalvagedRow) -> ArraySlice<SalvagedValue> {
    values[row.firstValue..<row.firstValue + row.valueCount]
  }

  /// The row as a JSON object, without a line feed: the format's members where the table's
  /// profile maps it to one of Rasd's tables, else by column name.
  package func json(of row: SalvagedRow) -> ArraySlice<UInt8> { text[row.json.range] }
}

/// One row, with how far to trust it and where it comes from.
package struct SalvagedRow: Hashable, Sendable {
  /// Index into the run's tables.
  package var table: Int
  package var kind: RowKind
  package var grade: Grade
  package var page: UInt32
  /// Place in the page's cell pointer array; -1 where the array does not name it.
  package var cell: Int
  /// Offset of the row's first byte in the file that the batch's `origin` names.
  package var fileOffset: UInt64
  /// The worst verdict among the pages that carry it.
  package var verdict: PageVerdict
  package var rowid: Int64?
  package var notes: RowNotesSet
  /// Hash of the row's key; equal for two copies of one id.
  package var keyHash: UInt64
  package var json: ByteRange
  /// Index into the batch's documents, of a row that names one.
  package var document: Int?
  var firstValue: Int
  var valueCount: Int
}

/// What a person should know of a row besides its grade.
package struct RowNotesSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The page's pointer array does not name it; it was found by looking.
  package static let foundByScan = Self(rawValue: 1 << 0)
  /// Its table was told by the shape of its values, not by a tree.
  package static let byShape = Self(rawValue: 1 << 1)
  /// Its overflow chain broke; values past that are absent or cut.
  package static let chainBroken = Self(rawValue: 1 << 2)
  /// Some TEXT of it does not decode.
  package static let textBroken = Self(rawValue: 1 << 3)
  /// An envelope in it stays closed for want of its key.
  package static let envelopeClosed = Self(rawValue: 1 << 4)
  /// Its first bytes were overwritten and its header was rebuilt from the table's shape.
  package static let headerRebuilt = Self(rawValue: 1 << 5)
  /// A column that should hold JSON holds something else.
  package static let notJSON = Self(rawValue: 1 << 6)
  /// Its cell breaks the order of keys that its page keeps.
  package static let outOfOrder = Self(rawValue: 1 << 7)
  /// A value outside its column's domain.
  package static let outOfDomain = Self(rawValue: 1 << 8)
  /// Header and values do not fill the record.
  package static let recordInexact = Self(rawValue: 1 << 9)
  /// It breaks a rule of the format's rows and can't be merged.
  package static let notMergeable = Self(rawValue: 1 << 10)
  /// Its own index knows no such key.
  package static let indexDisagrees = Self(rawValue: 1 << 11)
  /// Some values of it were not recovered.
  package static let valuesAbsent = Self(rawValue: 1 << 12)
  /// Found where deleted rows lie, but the database counts it among the living, and no better
  /// copy of it was found.
  package static let alive = Self(rawValue: 1 << 13)
  /// An earlier version of a row that lives on.
  package static let olderVersion = Self(rawValue: 1 << 14)
  /// Bytes of the document that it names are missing.
  package static let documentIncomplete = Self(rawValue: 1 << 15)

  /// The words of a report, in a fixed order.
  package var words: [String] {
    Self.names.filter { contains($0.0) }.map(\.1)
  }

  private static let names: [(Self, String)] = [
    (.foundByScan, "found-by-scan"), (.byShape, "by-shape"), (.chainBroken, "chain-broken"),
    (.textBroken, "text-broken"), (.envelopeClosed, "envelope-closed"),
    (.headerRebuilt, "header-rebuilt"), (.notJSON, "not-json"), (.outOfOrder, "out-of-order"),
    (.outOfDomain, "out-of-domain"), (.recordInexact, "record-inexact"),
    (.notMergeable, "not-mergeable"), (.indexDisagrees, "index-disagrees"),
    (.valuesAbsent, "values-absent"), (.alive, "alive"),
    (.olderVersion, "older-version"), (.documentIncomplete, "document-incomplete"),
  ]
}
