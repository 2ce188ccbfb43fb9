internal import RasdModel

/// What the tables of a known application look like, so that rows find their table even where
/// the schema is lost (Docs/profile.schema.json).
package struct Profile: Sendable {
  package let name: String
  package let title: String
  let tables: [Table]
  let indexes: [IndexSchema]
  let documents: [DocumentRule]

  struct Table: Sendable {
    let schema: TableSchema
    let mapping: RowMapping?
  }

  /// How many of the profile's tables a schema has, each with all the columns it names.
  func matches(_ schema: [TableSchema]) -> Int {
    tables.count { table in
      schema.contains { there in
        there.name.lowercased() == table.schema.name.lowercased()
          && table.schema.columns.allSatisfy { there.column(named: $0.name) != nil }
      }
    }
  }

  func table(named name: String) -> Table? {
    tables.first { $0.schema.name.lowercased() == name.lowercased() }
  }
}
