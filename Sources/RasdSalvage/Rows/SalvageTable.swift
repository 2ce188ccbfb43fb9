package import RasdModel

/// A table that rows may belong to; one object, since each row is read by what stands in it.
package final class SalvageTable: Sendable {
  /// How the table is known.
  package enum Origin: String, Hashable, Sendable {
    /// From `sqlite_schema` as it stands.
    case schema
    /// From a row of `sqlite_schema` that was deleted or lies in history.
    case dropped
    /// From a profile, the schema being lost.
    case profile
    /// From nothing but the number of its columns.
    case shape
  }

  /// Unique among the run's tables; a legal SQLite name, so anything at all.
  package let name: String
  package let origin: Origin
  /// Names of the columns that rows carry, in declared order.
  package let columns: [String]
  /// The table of the format that its rows are mapped to, where a profile says so.
  package var native: TableName? { mapping?.table }

  let schema: TableSchema
  /// For each entry of `columns`, its index in the schema.
  let visible: [Int]
  /// For each column of the schema, its place among `columns`, or -1.
  let place: [Int]
  let mapping: RowMapping?
  /// For each member of the mapping, its column's place among `columns`, or -1.
  let mapped: [Int]
  /// The page its tree begins at; 0 where that is not known.
  let root: UInt32
  /// The key's columns, as places among `columns`; empty where the rowid is the key.
  let key: [Int]

  init(
    name: String,
    origin: Origin,
    schema: TableSchema,
    mapping: RowMapping? = nil,
    root: UInt32 = 0
  ) {
    self.name = name
    self.root = root
    self.origin = origin
    self.schema = schema
    self.mapping = mapping
    let visible = schema.columns.indices.filter { schema.columns[$0].generated != .virtual }
    self.visible = visible
    columns = visible.map { schema.columns[$0].name }
    var place = Array(repeating: -1, count: schema.columns.count)
    for (i, column) in visible.enumerated() { place[column] = i }
    self.place = place
    mapped = (mapping?.members ?? []).map { member in
      schema.column(named: member.column).map { place[$0] } ?? -1
    }
    key = schema.primaryKey.compactMap { place[$0] >= 0 ? place[$0] : nil }
  }
}
