internal import RasdCrypto
internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

/// Which observation lines may leave their row to its table.
package enum RowPlacement: Sendable {
  /// Those whose visible row stands in its own table as it was delivered, as an export is.
  case inItsTable
  /// None: the tables are not at hand.
  case inTheLine
}

extension Store {
  /// Gives a line of `x_rasdkit_observations` for every active observation, without its LF
  /// (the merge rules, §Digest and a store's export).
  ///
  /// `isIncluded`: whether a key's observations are part of the export at all.
  package func forEachObservationLine(
    _ placement: RowPlacement,
    where isIncluded: (RowKey) throws(RasdError) -> Bool = { _ in true },
    _ body: ([UInt8]) throws(RasdError) -> Void
  ) throws(RasdError) {
    try forEachObservation { (observation) throws(RasdError) in
      guard try isIncluded(observation.key) else { return }
      try body(try line(observation, placement))
    }
  }

  private func line(
    _ observation: StoredObservation,
    _ placement: RowPlacement
  ) throws(RasdError) -> [UInt8] {
    var members: [JSONValue.Member] = [
      .init("table", .string(observation.key.table.text)),
      .init("hash", .string(observation.hash.hex)),
      .init("namespaces", .array(observation.namespaces.map { .string($0.text) })),
    ]
    if let until = try pinned(observation) {
      members.append(.init("pinned", .number(JSONNumber(until))))
    }
    let text = try shownText(of: observation)
    let standsInTable =
      observation.isSeen && ObservationLine.mayLeaveOut(observation.key.table)
      && ShownRow.text(text, observation.facts) == nil
    var line: [UInt8] = []
    if placement == .inItsTable, standsInTable {
      JSONValue.object(members).write(to: &line)
      return line
    }
    if observation.isSeen { members.append(.init("visible", true)) }
    JSONValue.object(members).write(to: &line)
    // The row's own text, not a rewriting of it.
    line.removeLast()
    line.append(contentsOf: ",\"row\":".utf8)
    line.append(contentsOf: text)
    line.append(UInt8(ascii: "}"))
    return line
  }

  /// Of an observation's spellings, the one that is seen or would be.
  private func shownText(of observation: StoredObservation) throws(RasdError) -> [UInt8] {
    if let seen = observation.seenVariant { return try table.text(of: seen) }
    var best: [UInt8]?
    for variant in observation.variants
    where try !table.activeDeliveries(of: variant).isEmpty {
      let text = try table.text(of: variant)
      if let held = best, !text.lexicographicallyPrecedes(held) { continue }
      best = text
    }
    return best ?? []
  }

  /// The `until` of a decision for the version that an observation is of.
  private func pinned(_ observation: StoredObservation) throws(RasdError) -> Int64? {
    guard let facts = observation.facts.submission,
      let pin = try resolver.pins.pin(of: observation.key), pin.clientRev == facts.clientRev,
      pin.digest == facts.contentDigest
    else { return nil }
    return pin.until
  }

  /// The store as a source of another one: its id, its digest and the latest of its sources'
  /// times; nil while it is empty.
  package func asSource() throws(RasdError) -> SourceDescription? {
    guard let org = org.flatMap({ Namespace($0) }), let digest = try? self.digest() else {
      return nil
    }
    let latest = ledger.all.filter(\.isActive).compactMap(\.exportedAt).max()
    return SourceDescription(
      key: SourceKey(exportId: id.text, manifest: digest, jsonl: digest),
      origin: .store,
      namespace: org,
      exportedAt: latest?.text ?? "",
      label: path
    )
  }
}
