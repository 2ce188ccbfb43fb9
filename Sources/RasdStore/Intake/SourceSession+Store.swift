internal import RasdCrypto
internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

// A store's export: its observation lines are the rows read, its tables are display. A line
// that leaves its row out and the row in its table find each other by hash, in either order.

extension SourceSession {
  /// Takes an observation line; nil when its row is still to come.
  package func add(_ line: ObservationLine, number: Int) throws(RasdError) -> RowReceipt? {
    try beginning { () throws(RasdError) in
      for namespace in line.namespaces {
        if let reason = reasonToRefuse(namespace) {
          return try quarantined(
            line.table,
            line: number,
            reason: reason,
            fault: "namespace",
            key: line.row?.row.key,
            text: line.text
          )
        }
      }
      if let row = line.row { return try take(line, row) }
      if let text = try staged(line.table, line.hash, "row") {
        try unstage(line.table, line.hash)
        var reader = RowReader(sha256: SHA256.digest)
        guard
          let row = try? reader.read(
            line: text.span,
            table: line.table,
            namespace: line.namespaces[0]
          )
        else { return nil }
        return try take(line, PreparedRow(row))
      }
      try stage(line.table, line.hash, "line", line.text)
      return nil
    }
  }

  func addDisplayed(_ prepared: PreparedRow) throws(RasdError) -> RowReceipt? {
    let row = prepared.row
    guard ObservationLine.mayLeaveOut(row.table) else { return nil }
    if let text = try staged(row.table, row.hash, "line") {
      try unstage(row.table, row.hash)
      var reader = RowReader(sha256: SHA256.digest)
      guard let line = try? ObservationLine.read(text.span, with: &reader) else { return nil }
      return try take(line, prepared)
    }
    if !observationsComeFirst { try stage(row.table, row.hash, "row", row.text) }
    return nil
  }

  /// Lines whose rows never came.
  func rejectUnmatched() throws(RasdError) {
    let select = try store.connection.statement(
      "SELECT tid, line FROM staged WHERE source = ?1 AND line IS NOT NULL"
    )
    try select.bind(1, Int64(source))
    var lines: [(TableName, [UInt8])] = []
    while try select.step() {
      if let table = store.names.table(select.integer(0)) { lines.append((table, select.bytes(1))) }
    }
    for (table, text) in lines {
      _ = try quarantined(
        table,
        line: nil,
        reason: .rowInvalid,
        fault: "row-absent",
        key: nil,
        text: text
      )
    }
    let delete = try store.connection.statement("DELETE FROM staged WHERE source = ?1")
    try delete.bind(1, Int64(source))
    try delete.run()
  }

  private func take(_ line: ObservationLine, _ row: PreparedRow) throws(RasdError) -> RowReceipt {
    var namespaces: [Int] = []
    for namespace in line.namespaces { namespaces.append(try store.names.number(namespace)) }
    let receipt = try take(row, namespaces: namespaces, isIncoming: line.isVisible)
    if let until = line.pinnedUntil, let facts = row.row.facts.submission {
      let pin = Pin(clientRev: facts.clientRev, digest: facts.contentDigest, until: until)
      let held = try store.resolver.pins.pin(of: row.row.key)
      let stronger = held.map { Pin.stronger($0, pin) } ?? pin
      if stronger != held {
        try store.resolver.pins.set(stronger, for: row.row.key)
        try store.resolver.resolve(try store.table.storedKey(row))
      }
    }
    return receipt
  }

  private func reasonToRefuse(_ namespace: Namespace) -> Reason? {
    if namespace.org != store.org { return .foreignNamespace }
    return policy.refusesNamespace(namespace) ? .unboundNamespace : nil
  }

  // MARK: What waits for its other half

  private func stage(
    _ table: TableName,
    _ hash: SHA256Digest,
    _ column: String,
    _ text: [UInt8]
  ) throws(RasdError) {
    let insert = try store.connection.statement(
      "INSERT OR REPLACE INTO staged (source, tid, hash, \(column)) VALUES (?1, ?2, ?3, ?4)"
    )
    try insert.bind(1, Int64(source))
    try insert.bind(2, try store.names.number(table))
    try insert.bind(3, hash)
    try insert.bind(4, text: text.span)
    try insert.run()
  }

  private func staged(
    _ table: TableName,
    _ hash: SHA256Digest,
    _ column: String
  ) throws(RasdError) -> [UInt8]? {
    let select = try store.connection.statement(
      "SELECT \(column) FROM staged WHERE source = ?1 AND tid = ?2 AND hash = ?3"
    )
    try select.bind(1, Int64(source))
    try select.bind(2, try store.names.number(table))
    try select.bind(3, hash)
    defer { select.reset() }
    guard try select.step(), !select.isNull(0) else { return nil }
    return select.bytes(0)
  }

  private func unstage(_ table: TableName, _ hash: SHA256Digest) throws(RasdError) {
    let delete = try store.connection.statement(
      "DELETE FROM staged WHERE source = ?1 AND tid = ?2 AND hash = ?3"
    )
    try delete.bind(1, Int64(source))
    try delete.bind(2, try store.names.number(table))
    try delete.bind(3, hash)
    try delete.run()
  }
}
