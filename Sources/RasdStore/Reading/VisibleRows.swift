internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

/// A row as a reader sees it.
package struct VisibleRow: Sendable {
  package let key: RowKey
  /// One JSON object, in the members of the format.
  package let text: [UInt8]
  package let facts: RowFacts

  package var table: TableName { key.table }
}

extension Store {
  /// The tables that hold a row, Rasd's own first and then the hosts' by name.
  package func tables() throws(RasdError) -> [TableName] {
    var held: Set<TableName> = []
    for table in names.allTables where try hasVisible(table) { held.insert(table) }
    let hosts = held.subtracting(TableName.rasd).sorted()
    return TableName.rasd + hosts
  }

  private func hasVisible(_ table: TableName) throws(RasdError) -> Bool {
    let select = try connection.statement(
      "SELECT 1 FROM observations WHERE tid = ?1 AND seen > 0 LIMIT 1"
    )
    try select.bind(1, names.number(known: table))
    defer { select.reset() }
    return try select.step()
  }

  /// Gives the rows of a table that a reader sees, in the order of their keys.
  ///
  /// `outbox` begins with its derived rows (the merge rules, §Outbox).
  package func forEachRow(
    of table: TableName,
    _ body: (VisibleRow) throws(RasdError) -> Void
  ) throws(RasdError) {
    if table == .outbox { try forEachDerivedRow(body) }
    try forEachVisible(table) { (id, key, columns, _) throws(RasdError) in
      let delivered = try self.table.text(of: id)
      let text = ShownRow.text(delivered, columns.facts) ?? delivered
      try body(VisibleRow(key: key, text: text, facts: columns.facts))
    }
  }

  /// Gives key and facts of what is seen, sorted by key, without the texts.
  func forEachVisible(
    _ table: TableName,
    _ body: (Int64, RowKey, FactsColumns, Seen) throws(RasdError) -> Void
  ) throws(RasdError) {
    guard let number = names.number(known: table) else { return }
    let select = try connection.prepare(
      """
      SELECT oid, key, seen FROM observations WHERE tid = ?1 AND seen > 0 ORDER BY key
      """
    )
    let facts = try connection.prepare(
      "SELECT \(FactsColumns.names) FROM observations WHERE oid = ?1"
    )
    try select.bind(1, number)
    while try select.step() {
      let id = select.integer(0)
      try facts.bind(1, id)
      defer { facts.reset() }
      guard let key = RowKey(table, text: select.text(1)), try facts.step(),
        let columns = FactsColumns(facts, from: 0, key: key)
      else { throw RasdError(.corrupt, .storeDamaged, ["observation": .number(id)]) }
      try body(id, key, columns, Seen(rawValue: select.integer(2)) ?? .yes)
    }
  }

  /// Gives the outbox rows that follow from what is seen: one for each queued submission and
  /// each pending attachment whose bytes are held.
  private func forEachDerivedRow(
    _ body: (VisibleRow) throws(RasdError) -> Void
  ) throws(RasdError) {
    try forEachVisible(.attachments) { (id, _, columns, _) throws(RasdError) in
      guard let facts = columns.facts.attachment, facts.status.shown == .pending,
        !facts.isHostAsset, let sha256 = facts.claim.sha256, try isHeld(sha256)
      else { return }
      try body(
        DerivedOutbox.row(
          kind: "attachment",
          target: facts.id,
          formId: nil,
          of: try self.table.text(of: id)
        )
      )
    }
    try forEachVisible(.submissions) { (id, _, columns, _) throws(RasdError) in
      guard let facts = columns.facts.submission, facts.status.shown == .queued else { return }
      try body(
        DerivedOutbox.row(
          kind: "submission",
          target: facts.id,
          formId: facts.formId,
          of: try self.table.text(of: id)
        )
      )
    }
  }
}

/// Outbox rows that are made anew from what they speak of.
enum DerivedOutbox {
  /// The one due row of a target: never tried, due since the target last changed.
  static func row(kind: String, target: String, formId: String?, of text: [UInt8]) -> VisibleRow {
    let value = (try? JSONValue.parse(text)) ?? .null
    func time(_ name: String) -> String? { value[name]?.string }
    let updated = time("updatedAt") ?? time("createdAt") ?? "1970-01-01T00:00:00.000Z"
    var members: [JSONValue.Member] = [
      .init("id", .string("\(kind):\(target)")), .init("kind", .string(kind)),
      .init("targetId", .string(target)),
    ]
    if let formId { members.append(.init("formId", .string(formId))) }
    members += [
      .init("status", "pending"), .init("priority", 0), .init("attempts", 0),
      .init("nextAttemptAt", .string(updated)),
      .init("createdAt", .string(time("createdAt") ?? updated)),
    ]
    var bytes: [UInt8] = []
    JSONValue.object(members).write(to: &bytes)
    return VisibleRow(
      key: RowKey(.outbox, ["\(kind):\(target)"]),
      text: bytes,
      facts: .outbox(
        OutboxFacts(
          id: "\(kind):\(target)",
          kind: kind,
          targetId: target,
          status: .pending,
          isDerived: true
        )
      )
    )
  }
}
