internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

/// A key in conflict, both sides.
package struct StoredConflict: Sendable {
  package struct Side: Sendable {
    package let hash: SHA256Digest
    /// A submission's; nil for a form.
    package let clientRev: Int64?
    package let status: SubmissionStatus?
    /// How far the salvage that brought it trusts it, where one did.
    package let grade: Grade?
    package let namespaces: [Namespace]
    /// Numbers of the ledger.
    package let sources: [Int]
    /// Where it differs from what is seen (RFC 6901).
    package let differs: [String]
  }

  package let key: RowKey
  package let seen: Side
  package let others: [Side]
}

extension Store {
  /// Gives every key that stands in conflict, by table and key.
  package func forEachConflict(
    _ body: (StoredConflict) throws(RasdError) -> Void
  ) throws(RasdError) {
    for table in [TableName.forms, .submissions] {
      let select = try connection.prepare(
        "SELECT oid, key FROM observations WHERE tid = ?1 AND seen = 2 ORDER BY key"
      )
      try select.bind(1, names.number(known: table))
      while try select.step() {
        guard let key = RowKey(table, text: select.text(1)) else {
          throw RasdError(.corrupt, .storeDamaged, ["table": "observations"])
        }
        try body(try conflict(key, seenVariant: select.integer(0)))
      }
    }
  }

  private func conflict(
    _ key: RowKey,
    seenVariant: Int64
  ) throws(RasdError) -> StoredConflict {
    let groups = Resolver.group(try table.variants(of: try table.storedKey(key)))
    let seen = groups.first { $0.contains { $0.id == seenVariant } } ?? groups[0]
    let rivals: [Resolver.Group]
    if key.table == .submissions {
      let standing = SubmissionOrder.resolve(
        Resolver.submissions(groups),
        pin: try resolver.pins.pin(of: key)
      )
      let tied = standing.map { [$0.winner] + $0.rivals } ?? []
      rivals = tied.compactMap { standing.map { $0.versions }?[$0].speaker }.map { groups[$0] }
    } else {
      rivals = groups
    }
    let shown = try value(seenVariant)
    var others: [StoredConflict.Side] = []
    for rival in rivals where rival[0].hash != seen[0].hash {
      others.append(
        try side(
          key.table,
          rival,
          differs: JSONPointer.differences(shown, try value(rival[0].id))
        )
      )
    }
    return StoredConflict(key: key, seen: try side(key.table, seen, differs: []), others: others)
  }

  private func side(
    _ table: TableName,
    _ group: Resolver.Group,
    differs: [String]
  ) throws(RasdError) -> StoredConflict.Side {
    let deliveries = group.reduce(into: Set<StoredDelivery>()) { $0.formUnion($1.deliveries) }
    return StoredConflict.Side(
      hash: group[0].hash,
      clientRev: group[0].facts.submission?.clientRev,
      status: group[0].facts.submission?.status,
      grade: try grade(of: table, group[0].hash),
      namespaces: Set(deliveries.map(\.namespace)).compactMap { names.namespace($0) }.sorted(),
      sources: Set(deliveries.map(\.source)).sorted(),
      differs: differs
    )
  }

  private func value(_ variant: Int64) throws(RasdError) -> JSONValue {
    let text = try table.text(of: variant)
    guard let value = try? JSONValue.parse(text) else {
      throw RasdError(.corrupt, .storeDamaged, ["observation": .number(variant)])
    }
    return value
  }
}
