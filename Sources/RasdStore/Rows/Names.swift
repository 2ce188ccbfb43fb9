internal import RasdModel
internal import SQLCipherKit

/// The numbers that tables and namespaces have in the store.
///
/// Read once; a new name gets the next number when it is first written.
final class Names {
  private let connection: Connection
  private var tables: [TableName: Int64] = [:]
  private var tableNames: [Int64: TableName] = [:]
  private var namespaces: [Namespace: Int] = [:]
  private var namespaceNames: [Int: Namespace] = [:]

  init(_ connection: Connection) throws(RasdError) {
    self.connection = connection
    try reload()
  }

  /// Reads all again: after a rollback, numbers given in the meantime are no more.
  func reload() throws(RasdError) {
    (tables, tableNames, namespaces, namespaceNames) = ([:], [:], [:], [:])
    let tables = try connection.statement("SELECT tid, name FROM table_names")
    while try tables.step() {
      if let name = TableName(tables.text(1)) { learn(name, tables.integer(0)) }
    }
    let namespaces = try connection.statement("SELECT nsid, name FROM namespaces")
    while try namespaces.step() {
      if let name = Namespace(namespaces.text(1)) { learn(name, Int(namespaces.integer(0))) }
    }
  }

  var allTables: [TableName] { tables.keys.sorted() }

  func table(_ number: Int64) -> TableName? { tableNames[number] }
  func namespace(_ number: Int) -> Namespace? { namespaceNames[number] }
  func number(known table: TableName) -> Int64? { tables[table] }

  func number(_ table: TableName) throws(RasdError) -> Int64 {
    if let known = tables[table] { return known }
    let insert = try connection.statement("INSERT INTO table_names (name) VALUES (?1)")
    try insert.bind(1, text: table.text)
    try insert.run()
    learn(table, connection.lastInsertedRow)
    return connection.lastInsertedRow
  }

  func number(_ namespace: Namespace) throws(RasdError) -> Int {
    if let known = namespaces[namespace] { return known }
    let insert = try connection.statement("INSERT INTO namespaces (name) VALUES (?1)")
    try insert.bind(1, text: namespace.text)
    try insert.run()
    learn(namespace, Int(connection.lastInsertedRow))
    return Int(connection.lastInsertedRow)
  }

  private func learn(_ table: TableName, _ number: Int64) {
    tables[table] = number
    tableNames[number] = table
  }

  private func learn(_ namespace: Namespace, _ number: Int) {
    namespaces[namespace] = number
    namespaceNames[number] = namespace
  }
}
