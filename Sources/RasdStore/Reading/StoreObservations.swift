internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

/// One observation of the active set.
package struct StoredObservation: Sendable {
  package let key: RowKey
  package let hash: SHA256Digest
  /// Every namespace that delivered it, sorted.
  package let namespaces: [Namespace]
  package let facts: RowFacts
  package let isSeen: Bool
  /// The spellings of it, by row number.
  let variants: [Int64]
  let seenVariant: Int64?
}

extension Store {
  /// Gives every active observation, in the order in which they came; memory does not grow
  /// with their number.
  func forEachObservation(
    _ body: (StoredObservation) throws(RasdError) -> Void
  ) throws(RasdError) {
    // Spellings beyond the first are rare: known beforehand, they are given with the first.
    let spellings = try self.spellings()
    let select = try connection.prepare(
      """
      SELECT oid, tid, key, hash, seen, \(FactsColumns.names) FROM observations
      WHERE spelling_of IS NULL ORDER BY oid
      """
    )
    while try select.step() {
      let id = select.integer(0)
      guard let table = names.table(select.integer(1)),
        let key = RowKey(table, text: select.text(2)), let hash = select.digest(3),
        let columns = FactsColumns(select, from: 5, key: key)
      else { throw RasdError(.corrupt, .storeDamaged, ["observation": .number(id)]) }
      let variants = [id] + (spellings[id] ?? [])
      var namespaces: Set<Int> = []
      for variant in variants {
        for delivery in try self.table.activeDeliveries(of: variant) {
          namespaces.insert(delivery.namespace)
        }
      }
      if namespaces.isEmpty { continue }
      var seen = select.integer(4) > 0 ? id : nil
      for variant in variants.dropFirst() where try isSeen(variant) { seen = variant }
      try body(
        StoredObservation(
          key: key,
          hash: hash,
          namespaces: namespaces.compactMap { names.namespace($0) }.sorted(),
          facts: columns.facts,
          isSeen: seen != nil,
          variants: variants,
          seenVariant: seen
        )
      )
    }
  }

  private func spellings() throws(RasdError) -> [Int64: [Int64]] {
    var found: [Int64: [Int64]] = [:]
    let select = try connection.statement(
      "SELECT spelling_of, oid FROM observations WHERE spelling_of IS NOT NULL ORDER BY spelling_of, oid"
    )
    while try select.step() { found[select.integer(0), default: []].append(select.integer(1)) }
    return found
  }

  private func isSeen(_ variant: Int64) throws(RasdError) -> Bool {
    let select = try connection.statement("SELECT seen FROM observations WHERE oid = ?1")
    try select.bind(1, variant)
    defer { select.reset() }
    return try select.step() && select.integer(0) > 0
  }

  /// Gives every decision whose version is among the active observations.
  func forEachPin(_ body: (RowKey, Pin) throws(RasdError) -> Void) throws(RasdError) {
    let select = try connection.prepare("SELECT key, rev, digest, until FROM pins ORDER BY key")
    while try select.step() {
      guard let key = RowKey(.submissions, text: select.text(0)), let digest = select.digest(2)
      else { throw RasdError(.corrupt, .storeDamaged, ["table": "pins"]) }
      let pin = Pin(clientRev: select.integer(1), digest: digest, until: select.integer(3))
      let isHeld = try table.variants(of: try table.storedKey(key)).contains { variant in
        variant.isActive && variant.facts.submission?.clientRev == pin.clientRev
          && variant.facts.submission?.contentDigest == pin.digest
      }
      if isHeld { try body(key, pin) }
    }
  }
}
