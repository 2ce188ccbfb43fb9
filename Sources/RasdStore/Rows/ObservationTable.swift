internal import RasdCrypto
internal import RasdModel
internal import SQLCipherKit

/// Observations and their deliveries, row by row.
final class ObservationTable {
  let connection: Connection
  let names: Names
  let ledger: Ledger
  let grades: GradeTable
  /// Rows of keys that were read so far: what an arrival costs.
  private(set) var variantsRead = 0
  private let find: Statement
  private let findOne: Statement
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
    findOne = try connection.statement(
      "SELECT oid, hash, text_hash, seen, \(FactsColumns.names) FROM observations WHERE oid = ?1"
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
    while try find.step() { found.append(try variant(find, of: key)) }
    variantsRead += found.count
    for i in found.indices { found[i].deliveries = try activeDeliveries(of: found[i].id) }
    return found
  }

  /// One of them by its number, without its deliveries.
  func variant(_ id: Int64, of key: StoredKey) throws(RasdError) -> StoredVariant {
    try findOne.bind(1, id)
    defer { findOne.reset() }
    guard try findOne.step() else {
      throw RasdError(.corrupt, .storeDamaged, ["observation": .number(id)])
    }
    return try variant(findOne, of: key)
  }

  private func variant(
    _ row: Statement,
    of key: StoredKey
  ) throws(RasdError) -> StoredVariant {
    guard let hash = row.digest(1), let seen = Seen(rawValue: row.integer(3)),
      let columns = FactsColumns(row, from: 4, key: key.key)
    else {
      row.reset()
      throw RasdError(.corrupt, .storeDamaged, ["table": .text(key.key.table.text)])
    }
    return StoredVariant(
      id: row.integer(0),
      hash: hash,
      textHash: row.digest(2),
      seen: seen,
      facts: columns.facts,
      notices: columns.notices
    )
  }

  /// The bodies of a key's observations, by their hashes.
  func bodies(of key: StoredKey) throws(RasdError) -> [SHA256Digest: Int64] {
    let select = try connection.statement(
      """
      SELECT DISTINCT b.bid, b.text FROM observations o JOIN bodies b ON b.bid = o.body
      WHERE o.khash = ?1 AND o.tid = ?2 AND o.key = ?3
      """
    )
    try select.bind(1, key.hash)
    try select.bind(2, key.table)
    try select.bind(3, text: key.key.text)
    var found: [SHA256Digest: Int64] = [:]
    while try select.step() {
      let id = select.integer(0)
      select.withBytes(1) { found[SHA256.digest($0)] = id }
    }
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

  /// Where a body that equals a row's is looked for.
  enum EqualBody {
    case nowhere
    /// Among the bodies of the same key.
    case ofKey
    /// It is this row, or there is none.
    case known(Int64?)
  }

  /// Stores a row's text and facts; a body that equals one of the same key is stored once.
  ///
  /// `first`: the row of the first spelling, where this is another.
  func add(
    _ prepared: PreparedRow,
    as key: StoredKey,
    seen: Seen,
    spellingOf first: Int64?,
    body equal: EqualBody
  ) throws(RasdError) -> (id: Int64, body: Int64?) {
    let row = prepared.row
    let text = row.text.span
    let isSplit = row.body.count >= Self.smallestBody
    var body: Int64?
    if isSplit { body = try bodyNumber(text.extracting(row.body), key, equal) }
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
    try insert.bind(22, first)
    try insert.run()
    let id = connection.lastInsertedRow
    if row.table == SalvageGrade.table { try grades.note(row.text, line: id) }
    return (id, body)
  }

  /// A body below this many bytes costs more as a row of its own than it can save.
  static let smallestBody = 128

  private func bodyNumber(
    _ body: Span<UInt8>,
    _ key: StoredKey,
    _ equal: EqualBody
  ) throws(RasdError) -> Int64 {
    switch equal {
    case .nowhere, .known(nil): break
    case .known(let known?): return known
    case .ofKey:
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

  /// Records that a source brought an observation.
  func deliver(
    _ id: Int64,
    source: Int,
    namespace: Int,
    isAhead: Bool
  ) throws(RasdError) {
    try deliver.bind(1, id)
    try deliver.bind(2, Int64(source))
    try deliver.bind(3, Int64(namespace))
    try deliver.bind(4, isAhead ? 1 : 0)
    try deliver.run()
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
