internal import RasdModel
internal import SQLCipherKit

/// Observations and their deliveries, row by row.
final class ObservationTable {
  let connection: Connection
  let names: Names
  let ledger: Ledger
  let grades: GradeTable
  private let find: Statement
  private let deliveriesOf: Statement
  private let insert: Statement
  private let insertBody: Statement
  private let findBody: Statement
  private let deliver: Statement
  private let setSeen: Statement
  private let textOf: Statement

  init(_ connection: Connection, _ names: Names, _ ledger: Ledger) throws(RasdError) {
    self.connection = connection
    self.names = names
    self.ledger = ledger
    grades = try GradeTable(connection, names)
    find = try connection.statement(
      """
      SELECT oid, hash, text_hash, seen, \(FactsColumns.names) FROM observations
      WHERE khash = ?1 AND tid = ?2 AND key = ?3 ORDER BY oid
      """
    )
    deliveriesOf = try connection.statement("SELECT source, nsid FROM deliveries WHERE oid = ?1")
    insert = try connection.statement(
      """
      INSERT INTO observations (khash, tid, key, hash, text_hash, seen, \(FactsColumns.names),
        head, body, tail, spelling_of)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22)
      """
    )
    insertBody = try connection.statement("INSERT INTO bodies (text) VALUES (?1)")
    findBody = try connection.statement(
      """
      SELECT b.bid FROM observations o JOIN bodies b ON b.bid = o.body
      WHERE o.khash = ?1 AND o.tid = ?2 AND o.key = ?3 AND b.text = ?4 LIMIT 1
      """
    )
    deliver = try connection.statement("INSERT OR IGNORE INTO deliveries VALUES (?1, ?2, ?3, ?4)")
    setSeen = try connection.statement("UPDATE observations SET seen = ?2 WHERE oid = ?1")
    textOf = try connection.statement(
      """
      SELECT o.head, b.text, o.tail FROM observations o LEFT JOIN bodies b ON b.bid = o.body
      WHERE o.oid = ?1
      """
    )
  }

  func storedKey(_ row: PreparedRow) throws(RasdError) -> StoredKey {
    StoredKey(table: try names.number(row.row.table), hash: row.keyHash, key: row.row.key)
  }

  func storedKey(_ key: RowKey) throws(RasdError) -> StoredKey {
    StoredKey(table: try names.number(key.table), hash: PreparedRow.hash(of: key), key: key)
  }

  /// Every spelling of every observation of a key, with its active deliveries.
  func variants(of key: StoredKey) throws(RasdError) -> [StoredVariant] {
    try find.bind(1, key.hash)
    try find.bind(2, key.table)
    try find.bind(3, text: key.key.text)
    var found: [StoredVariant] = []
    while try find.step() {
      guard let hash = find.digest(1), let seen = Seen(rawValue: find.integer(3)),
        let columns = FactsColumns(find, from: 4, key: key.key)
      else {
        find.reset()
        throw RasdError(.corrupt, .storeDamaged, ["table": .text(key.key.table.text)])
      }
      found.append(
        StoredVariant(
          id: find.integer(0),
          hash: hash,
          textHash: find.digest(2),
          seen: seen,
          facts: columns.facts,
          notices: columns.notices
        )
      )
    }
    for i in found.indices { found[i].deliveries = try activeDeliveries(of: found[i].id) }
    return found
  }

  func activeDeliveries(of id: Int64) throws(RasdError) -> Set<StoredDelivery> {
    try deliveriesOf.bind(1, id)
    var found: Set<StoredDelivery> = []
    while try deliveriesOf.step() {
      let source = Int(deliveriesOf.integer(0))
      if ledger.isActive(source) {
        found.insert(StoredDelivery(source: source, namespace: Int(deliveriesOf.integer(1))))
      }
    }
    return found
  }

  /// Stores a row's text and facts; its body is shared with an equal one of the same key.
  ///
  /// `others`: what else is stored of the key.
  func add(
    _ prepared: PreparedRow,
    as key: StoredKey,
    seen: Seen,
    among others: [StoredVariant]
  ) throws(RasdError) -> Int64 {
    let row = prepared.row
    let text = row.text.span
    let isSplit = row.body.count >= Self.smallestBody
    var body: Int64?
    if isSplit {
      body = try bodyNumber(text.extracting(row.body), key, mayShare: !others.isEmpty)
    }
    try insert.bind(1, key.hash)
    try insert.bind(2, key.table)
    try insert.bind(3, text: key.key.text)
    try insert.bind(4, row.hash)
    try insert.bind(5, prepared.textHash)
    try insert.bind(6, seen.rawValue)
    try FactsColumns(row).bind(to: insert, from: 7)
    try insert.bind(19, text: isSplit ? text.extracting(..<row.body.lowerBound) : text)
    try insert.bind(20, body)
    if isSplit {
      try insert.bind(21, text: text.extracting(row.body.upperBound...))
    } else {
      try insert.bindNull(21)
    }
    try insert.bind(22, others.first { $0.hash == row.hash }?.id)
    try insert.run()
    let id = connection.lastInsertedRow
    if row.table == SalvageGrade.table { try grades.note(row.text, line: id) }
    return id
  }

  /// A body below this many bytes costs more as a row of its own than it can save.
  static let smallestBody = 128

  private func bodyNumber(
    _ body: Span<UInt8>,
    _ key: StoredKey,
    mayShare: Bool
  ) throws(RasdError) -> Int64 {
    if mayShare {
      try findBody.bind(1, key.hash)
      try findBody.bind(2, key.table)
      try findBody.bind(3, text: key.key.text)
      try findBody.bind(4, text: body)
      defer { findBody.reset() }
      if try findBody.step() { return findBody.integer(0) }
    }
    try insertBody.bind(1, text: body)
    try insertBody.run()
    return connection.lastInsertedRow
  }

  /// Records that a source brought an observation; answers whether that is new.
  @discardableResult
  func deliver(
    _ id: Int64,
    source: Int,
    namespace: Int,
    isAhead: Bool
  ) throws(RasdError) -> Bool {
    try deliver.bind(1, id)
    try deliver.bind(2, Int64(source))
    try deliver.bind(3, Int64(namespace))
    try deliver.bind(4, isAhead ? 1 : 0)
    try deliver.run()
    return connection.changes > 0
  }

  func setSeen(_ id: Int64, _ seen: Seen) throws(RasdError) {
    try setSeen.bind(1, id)
    try setSeen.bind(2, seen.rawValue)
    try setSeen.run()
  }

  /// A row's text as delivered.
  func text(of id: Int64) throws(RasdError) -> [UInt8] {
    try textOf.bind(1, id)
    defer { textOf.reset() }
    guard try textOf.step() else {
      throw RasdError(.corrupt, .storeDamaged, ["observation": .number(id)])
    }
    var text = textOf.bytes(0)
    textOf.withBytes(1) { text.append(bytes: $0) }
    textOf.withBytes(2) { text.append(bytes: $0) }
    return text
  }
}
