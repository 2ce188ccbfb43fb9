/// The tables and indexes of a database as its schema, or a profile in its place, names them.
struct Catalog: Sendable {
  /// A b-tree, known by its root or made up for pages that lost theirs.
  struct Tree: Sendable {
    enum Content: Hashable, Sendable {
      case none
      /// Index into `tables`.
      case table(Int)
      /// Index into `indexes`, or -1 for an index nothing is known of.
      case index(Int)
    }
    var content: Content
    var name: String
    var root: UInt32 = 0
    /// Children that could not be followed.
    fileprivate(set) var lost = 0
  }

  /// Tables of the run; the first is `sqlite_schema` itself.
  private(set) var tables: [SalvageTable]
  private(set) var shapes: [RowShape]
  private(set) var indexes: [IndexEntries] = []
  /// The first means no tree, the second is that of `sqlite_schema`.
  private(set) var trees: [Tree]
  /// Tables whose trees lost pages.
  private var torn: Set<Int> = []
  /// The trees that were made up for tables' orphans, and the tables for rows without an owner.
  private var orphanTrees: [Int: UInt16] = [:]
  private var unowned: [Unowned: Int] = [:]
  private struct Unowned: Hashable {
    let columns: Int
    let isIndex: Bool
  }
  /// Names of the tables, as they are in rows.
  private var names: Set<String> = ["sqlite_schema"]
  /// What the application is, where that is known.
  var profile: Profile?
  let encoding: DatabaseEncoding

  /// A file can name as many trees as its pages allow; owners are kept in 16 bits.
  static let maximumTrees = 65_000

  init(encoding: DatabaseEncoding) {
    self.encoding = encoding
    tables = [
      SalvageTable(name: "sqlite_schema", origin: .schema, schema: SchemaEntry.schema)
    ]
    shapes = [RowShape(SchemaEntry.schema, encoding: encoding)]
    trees = [
      Tree(content: .none, name: ""), Tree(content: .table(0), name: "sqlite_schema", root: 1),
    ]
  }

  // MARK: From the schema

  /// Takes the rows of `sqlite_schema`.
  mutating func add(_ entries: [SchemaEntry]) {
    for entry in entries
    where entry.kind == .table && entry.rootPage > 0 && trees.count < Self.maximumTrees {
      var schema =
        TableParser.parse(entry.sql.span, name: entry.name)
        ?? TableSchema(name: entry.name, columns: [])
      // Where the statement is lost or damaged, the profile knows what it was.
      if schema.columns.isEmpty || entry.isDoubtful,
        let known = profile?.table(named: entry.name)?.schema
      {
        schema = known
        schema.name = entry.name
      }
      let index = add(schema, origin: .schema, root: entry.rootPage)
      trees.append(Tree(content: .table(index), name: entry.name, root: entry.rootPage))
    }
    let named = Dictionary(
      tables.indices.filter { tables[$0].root > 0 }.map { (tables[$0].schema.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for entry in entries
    where entry.kind == .index && entry.rootPage > 0 && trees.count < Self.maximumTrees {
      addIndex(entry, of: named[entry.tableName])
    }
  }

  private mutating func addIndex(_ entry: SchemaEntry, of table: Int?) {
    var tree = Tree(content: .index(-1), name: entry.name, root: entry.rootPage)
    if let table,
      let index = IndexSchema.parse(entry.sql.span)
        ?? Self.automatic(entry.name, tables[table].schema),
      let entries = IndexEntries(index, table: table, tables[table].schema, encoding: encoding)
    {
      indexes.append(entries)
      tree.content = .index(indexes.count - 1)
    }
    trees.append(tree)
  }

  /// The index that a primary key makes for itself.
  private static func automatic(_ name: String, _ table: TableSchema) -> IndexSchema? {
    guard !table.primaryKey.isEmpty, name.hasSuffix("_1") else { return nil }
    return IndexSchema(
      name: name,
      table: table.name,
      columns: table.primaryKey.map { table.columns[$0].name }
    )
  }

  /// Adds a table, with what the profile knows of it, and returns its index.
  mutating func add(
    _ schema: TableSchema,
    origin: SalvageTable.Origin,
    root: UInt32 = 0
  ) -> Int {
    var schema = schema
    var mapping: RowMapping?
    if let known = profile?.table(named: schema.name), origin != .shape,
      known.schema.columns.allSatisfy({ schema.column(named: $0.name) != nil })
    {
      mapping = known.mapping
      for column in known.schema.columns {
        guard let i = schema.column(named: column.name) else { continue }
        schema.columns[i].pattern = column.pattern
        if schema.columns[i].allowed.isEmpty { schema.columns[i].allowed = column.allowed }
      }
    }
    var name = schema.name
    var number = 2
    while !names.insert(name).inserted {
      name = "\(schema.name)~\(number)"
      number += 1
    }
    tables.append(
      SalvageTable(name: name, origin: origin, schema: schema, mapping: mapping, root: root)
    )
    shapes.append(RowShape(schema, encoding: encoding))
    return tables.count - 1
  }

  // MARK: From profiles

  /// Adds the tables of a profile that the schema does not have, as candidates for pages
  /// without an owner.
  mutating func addMissing(of profile: Profile) {
    self.profile = profile
    for table in profile.tables where !tables.contains(where: { $0.name == table.schema.name }) {
      _ = add(table.schema, origin: .profile)
    }
    let automatic = profile.tables.compactMap { table in
      let schema = table.schema
      let hasIndex = !schema.isWithoutRowid && schema.rowidColumn == nil
      return hasIndex ? Self.automatic("_1", schema) : nil
    }
    for index in profile.indexes + automatic {
      guard
        let table = tables.firstIndex(where: { $0.name.lowercased() == index.table.lowercased() }),
        let entries = IndexEntries(index, table: table, tables[table].schema, encoding: encoding)
      else { continue }
      indexes.append(entries)
    }
  }

  // MARK: From pages

  /// Says how many children of a tree could not be followed.
  mutating func setLost(_ count: Int, ofTree tree: Int) {
    trees[tree].lost = count
    if count > 0, case .table(let table) = trees[tree].content { torn.insert(table) }
  }

  /// Among tables of one shape, the one whose tree lost pages goes first, then one whose tree is
  /// not known.
  func preference(_ table: Int) -> Int {
    torn.contains(table) ? 2 : tables[table].origin == .profile ? 1 : 0
  }

  /// The tree of pages that belong to a table but that its root does not reach.
  mutating func orphanTree(of table: Int) -> UInt16 {
    if let there = orphanTrees[table] { return there }
    guard trees.count < Self.maximumTrees else { return 0 }
    trees.append(Tree(content: .table(table), name: tables[table].name))
    let tree = UInt16(trees.count - 1)
    orphanTrees[table] = tree
    return tree
  }

  /// The table of rows that have this many columns and no owner, if there are any yet.
  func knownUnowned(columns: Int, isIndex: Bool) -> Int? {
    unowned[Unowned(columns: columns, isIndex: isIndex)]
  }

  mutating func unowned(columns: Int, isIndex: Bool) -> Int {
    let kind = Unowned(columns: columns, isIndex: isIndex)
    if let there = unowned[kind] { return there }
    let name = "unowned-\(unowned.count + 1)"
    let table = add(
      .unnamed(name, columns: columns, isWithoutRowid: isIndex),
      origin: .shape
    )
    unowned[kind] = table
    return table
  }

  /// Says what the values of a column look like, as the table's own rows do.
  mutating func setPattern(_ pattern: ValuePattern, ofColumn column: Int, of table: Int) {
    let old = tables[table]
    var schema = old.schema
    schema.columns[column].pattern = pattern
    tables[table] = SalvageTable(
      name: old.name,
      origin: old.origin,
      schema: schema,
      mapping: old.mapping,
      root: old.root
    )
    shapes[table] = RowShape(schema, encoding: encoding)
  }

  /// Says which types a table's rows have at one place of their records.
  mutating func setSeen(_ types: SeenTypes, at place: Int, of table: Int) {
    shapes[table].fields[place].seen = types
  }

  /// Names the columns of a table whose statement could not be read `c0`, `c1` ….
  mutating func setColumns(of table: Int, count: Int, isIndex: Bool) {
    let old = tables[table]
    let schema = TableSchema.unnamed(old.name, columns: count, isWithoutRowid: isIndex)
    tables[table] = SalvageTable(
      name: old.name,
      origin: old.origin,
      schema: schema,
      root: old.root
    )
    shapes[table] = RowShape(schema, encoding: encoding)
  }
}
