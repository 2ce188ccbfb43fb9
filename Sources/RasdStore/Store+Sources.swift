internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

extension Store {
  /// Every source of the ledger, in the order in which they came.
  package var sources: [SourceRecord] { ledger.all }

  /// A source that was seen before; nil for a new one.
  package func source(_ key: SourceKey) -> SourceRecord? { ledger.source(key) }

  package func source(number: Int) -> SourceRecord? { ledger.sources[number] }

  /// Begins to take a source, or goes on with one that a run did not finish; one that was
  /// purged is taken anew.
  ///
  /// `tables`: those of its manifest, in their order.
  /// Errors: `foreign-namespace` for another organisation's, `cannot-replace` where the
  ///   policy wants sources replaced by one that may lack rows, `source-known` for one that is
  /// done, `read-only`.
  package func begin(
    _ description: SourceDescription,
    tables: [TableName],
    policy: IntakePolicy = IntakePolicy()
  ) throws(RasdError) -> SourceSession {
    guard access == .writing else { throw RasdError(.unavailable, .readOnly) }
    if policy.replaces, !description.mayReplace {
      throw RasdError(
        .unavailable,
        .cannotReplace,
        ["exportId": .text(description.key.exportId)]
      )
    }
    if var known = ledger.source(description.key) {
      switch known.state {
      case .merging: break
      case .done:
        throw RasdError(.unavailable, .sourceKnown, ["source": .number(Int64(known.number))])
      case .purged:
        (known.state, known.cursor, known.tally) = (.merging, SourceCursor(), [:])
        try ledger.update(known)
      }
      return try SourceSession(self, known, policy, tables: tables)
    }
    try beginTransaction()
    do throws(RasdError) {
      try claim(org: description.namespace.org)
      let record = try ledger.add(description)
      let session = try SourceSession(self, record, policy, tables: tables)
      try commitTransaction()
      return session
    } catch {
      forgetUncommitted()
      throw error
    }
  }

  /// Whether a source was proved whole in this very file, which `mark` tells from any other.
  package func isProved(_ source: Int, in mark: String) throws(RasdError) -> Bool {
    let select = try connection.statement(
      "SELECT 1 FROM proved_files WHERE source = ?1 AND file = ?2"
    )
    try select.bind(1, Int64(source))
    try select.bind(2, text: mark)
    defer { select.reset() }
    return try select.step()
  }

  /// Records that a source was proved whole in a file.
  package func note(proved source: Int, in mark: String) throws(RasdError) {
    let insert = try connection.statement("INSERT OR IGNORE INTO proved_files VALUES (?1, ?2)")
    try insert.bind(1, Int64(source))
    try insert.bind(2, text: mark)
    try insert.run()
  }

  /// Takes a source out of what is seen, or back in; what only it delivered stays on disk.
  package func retract(_ number: Int, _ isRetracted: Bool) throws(RasdError) {
    guard var record = ledger.sources[number] else {
      throw RasdError(.unavailable, .sourceUnknown, ["source": .number(Int64(number))])
    }
    guard record.isRetracted != isRetracted else { return }
    record.isRetracted = isRetracted
    try transaction { () throws(RasdError) in
      try ledger.update(record)
      try resolveDelivered(by: number)
    }
  }

  /// Retracts the earlier sources of a namespace: those that came before the one that replaces
  /// them.
  func retractEarlier(than record: SourceRecord) throws(RasdError) {
    for var earlier in ledger.all
    where earlier.description.namespace == record.description.namespace
      && earlier.number < record.number && !earlier.isRetracted
      && earlier.description.origin != .store
    {
      earlier.isRetracted = true
      try ledger.update(earlier)
      try resolveDelivered(by: earlier.number)
    }
  }

  /// Chooses anew for every key of which a source delivered an observation.
  private func resolveDelivered(by source: Int) throws(RasdError) {
    // In chunks by row number: a source may have delivered more keys than fit in memory.
    let select = try connection.statement(
      """
      SELECT o.oid, o.tid, o.key FROM deliveries d JOIN observations o ON o.oid = d.oid
      WHERE d.source = ?1 AND d.oid > ?2 ORDER BY d.oid LIMIT \(Self.chunk)
      """
    )
    var last: Int64 = 0
    while true {
      try select.bind(1, Int64(source))
      try select.bind(2, last)
      var keys: [(Int64, String)] = []
      while try select.step() {
        last = select.integer(0)
        keys.append((select.integer(1), select.text(2)))
      }
      if keys.isEmpty { return }
      for (table, text) in keys {
        guard let table = names.table(table), let key = RowKey(table, text: text) else {
          throw RasdError(.corrupt, .storeDamaged, ["table": .text("observations")])
        }
        try resolver.resolve(try self.table.storedKey(key))
      }
    }
  }

  /// Keys read at a time where a statement can't stay open over the work on them.
  private static let chunk = 500
}
