internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

// A row becomes an observation, or another delivery of one, or is kept aside.

extension SourceSession {
  /// Takes a row of one of the source's tables.
  ///
  /// Of a store's export these are display: nil for those, except where an observation line
  /// left its row to them.
  package func add(_ prepared: PreparedRow) throws(RasdError) -> RowReceipt? {
    try beginning { () throws(RasdError) in
      if record.description.origin == .store { return try addDisplayed(prepared) }
      let row = prepared.row
      if row.table == ObservationLine.table {
        return try quarantined(
          row.table,
          line: nil,
          reason: .rowInvalid,
          fault: "reserved-table",
          key: row.key,
          text: row.text
        )
      }
      if let reason = reasonToSkip(row.facts) {
        return counted(RowReceipt(.kept, table: row.table, key: row.key, reason: reason))
      }
      return try take(prepared, namespaces: [namespace], isIncoming: true)
    }
  }

  /// Takes a line that is no row: it is kept aside, never an observation.
  package func reject(
    _ table: TableName,
    line: Int,
    _ rejection: RowRejection,
    text: [UInt8]
  ) throws(RasdError) -> RowReceipt {
    try beginning { () throws(RasdError) in
      try quarantined(
        table,
        line: line,
        reason: rejection.reason,
        fault: rejection.fault.rawValue,
        key: rejection.key,
        text: text
      )
    }
  }

  func quarantined(
    _ table: TableName,
    line: Int?,
    reason: Reason,
    fault: String,
    key: RowKey?,
    text: [UInt8]
  ) throws(RasdError) -> RowReceipt {
    try quarantine.add(table, line: line, reason: reason, fault: fault, key: key, text: text)
    return counted(RowReceipt(.rejected, table: table, key: key, reason: reason))
  }

  /// Makes an observation of a row, or another delivery of one that is held.
  ///
  /// `isIncoming`: whether policies other than `keep-higher-rev` speak of it.
  func take(
    _ prepared: PreparedRow,
    namespaces: [Int],
    isIncoming: Bool
  ) throws(RasdError) -> RowReceipt {
    let row = prepared.row
    let table = store.table
    let key = try table.storedKey(prepared)
    if let receipt = try takeCrowded(prepared, as: key, namespaces: namespaces) { return receipt }
    var variants = try table.variants(of: key)
    if let receipt = try takeCrowded(prepared, as: key, namespaces: namespaces, variants) {
      return receipt
    }
    // The rows of a source that was excluded meanwhile go in unseen.
    let isActive = store.ledger.isActive(source)
    if variants.isEmpty, isActive {
      let id = try table.add(prepared, as: key, seen: .yes, spellingOf: nil, body: .nowhere).id
      try deliver(id, row, namespaces)
      try store.resolver.resolveAttachments(listedBy: [row.facts])
      return counted(RowReceipt(.inserted, table: row.table, key: row.key))
    }
    let wasHeld = variants.contains { $0.hash == row.hash && $0.isActive }
    let keyWasHeld = variants.contains(where: \.isActive)
    var known = variants.firstIndex { $0.hash == row.hash && $0.textHash == prepared.textHash }
    if known == nil {
      let first = variants.first { $0.hash == row.hash }?.id
      let body: ObservationTable.EqualBody = variants.isEmpty ? .nowhere : .ofKey
      let id = try table.add(prepared, as: key, seen: .no, spellingOf: first, body: body).id
      variants.append(
        StoredVariant(
          id: id,
          hash: row.hash,
          textHash: prepared.textHash,
          seen: .no,
          facts: row.facts,
          notices: RowNotices(row)
        )
      )
      known = variants.endIndex - 1
    }
    if let known {
      try deliver(variants[known].id, row, namespaces)
      for namespace in namespaces where isActive {
        variants[known].deliveries.insert(StoredDelivery(source: source, namespace: namespace))
      }
    }
    var outcome = try store.resolver.resolve(key, variants)
    if isIncoming, try decide(row, key, outcome) {
      let before = outcome.before
      outcome = try store.resolver.resolve(key)
      outcome.before = before
    }
    let arrival = Arrival(
      wasHeld: wasHeld,
      keyWasHeld: keyWasHeld,
      changedWhatIsSeen: outcome.changedWhatIsSeen,
      isConflict: outcome.isConflict
    )
    return counted(RowReceipt(arrival.outcome, table: row.table, key: row.key))
  }

  func deliver(_ id: Int64, _ row: Row, _ namespaces: [Int]) throws(RasdError) {
    let isAhead = ClockAhead.isFound(latest: row.latest, exportedAt: record.exportedAt)
    for namespace in namespaces {
      try store.table.deliver(id, source: source, namespace: namespace, isAhead: isAhead)
    }
  }

  /// Records the decision that the policy calls for; answers whether there is one.
  private func decide(
    _ row: Row,
    _ key: StoredKey,
    _ outcome: Resolver.Outcome
  ) throws(RasdError) -> Bool {
    guard policy.onConflict != .keepHigherRev, let facts = row.facts.submission,
      let standing = outcome.standing
    else { return false }
    let before = outcome.before?.facts.submission
    let pin = Pin.decided(
      policy.onConflict,
      before: before.map { ($0.clientRev, $0.contentDigest) },
      arrived: (facts.clientRev, facts.contentDigest),
      after: standing
    )
    guard let pin else { return false }
    try store.resolver.pins.set(pin, for: key.key)
    return true
  }

  private func reasonToSkip(_ facts: RowFacts) -> Reason? {
    switch facts {
    case .outbox(let facts) where facts.isDerived: .outboxDerived
    case .attachment(let facts) where facts.isHostAsset && !policy.takesHostAssets: .hostAsset
    default: nil
    }
  }

  func counted(_ receipt: RowReceipt) -> RowReceipt {
    record.tally[receipt.table, default: RowTally()][receipt.outcome] += 1
    return receipt
  }
}
