internal import RasdCrypto
internal import RasdMerge
internal import RasdModel

extension SourceSession {
  /// Takes a row of a key of which very many contents came; nil where it is none, or where more
  /// than the order has a say in it.
  ///
  /// `variants`: what is stored of the key, where that has just been read.
  func takeCrowded(
    _ prepared: PreparedRow,
    as key: StoredKey,
    namespaces: [Int],
    _ variants: [StoredVariant]? = nil
  ) throws(RasdError) -> RowReceipt? {
    guard policy.onConflict == .keepHigherRev, store.ledger.isActive(source) else { return nil }
    let crowds = store.resolver.crowds
    var crowd: CrowdedKey
    if let variants {
      guard variants.count >= CrowdedKey.fewest, try store.resolver.pins.pin(of: key.key) == nil,
        let made = CrowdedKey(variants, bodies: try store.table.bodies(of: key))
      else { return nil }
      crowd = made
    } else {
      guard let known = crowds.take(key) else { return nil }
      crowd = known
    }
    let row = prepared.row
    let before = crowd.seen
    let wasHeld = crowd.observations[row.hash] != nil
    let variant = try stored(prepared, as: key, &crowd)
    try deliver(variant.id, row, namespaces)

    var after = before
    var isConflict = before.seen == .contested
    if case .submission(let facts) = row.facts {
      let deliveries = namespaces.map { Delivery(source: source, namespace: $0) }
      crowd.count(facts, row.hash, Set(deliveries))
      isConflict = crowd.tally.isConflict
      if let seen = crowd.tally.seen, seen != before.hash {
        after = seen == row.hash ? variant : try shown(seen, as: key, crowd)
      }
    } else if !wasHeld {
      let choice = try store.resolver.choose(key, [[before], [variant]])
      if choice?.seen == 1 { after = variant }
      isConflict = isConflict || choice?.isConflict ?? false
    }
    if after.hash == row.hash, variant.id != after.id {
      after = try store.resolver.shortestText([after, variant])
    }
    after.seen = isConflict ? .contested : .yes
    if after.id != before.id { try store.table.setSeen(before.id, .no) }
    if after.id != before.id || after.seen != before.seen {
      try store.table.setSeen(after.id, after.seen)
    }
    crowd.seen = after
    crowds.put(crowd, key)
    if after.hash != before.hash {
      try store.resolver.resolveAttachments(listedBy: [before.facts, after.facts])
    }
    let arrival = Arrival(
      wasHeld: wasHeld,
      keyWasHeld: true,
      changedWhatIsSeen: after.hash != before.hash,
      isConflict: isConflict
    )
    return counted(RowReceipt(arrival.outcome, table: row.table, key: row.key))
  }

  /// The row as it is stored, now or before.
  private func stored(
    _ prepared: PreparedRow,
    as key: StoredKey,
    _ crowd: inout CrowdedKey
  ) throws(RasdError) -> StoredVariant {
    let row = prepared.row
    let spellings = crowd.observations[row.hash]
    var id = spellings?.row(ofText: prepared.textHash)
    if id == nil {
      let body = SHA256.digest(row.text.span.extracting(row.body))
      let added = try store.table.add(
        prepared,
        as: key,
        seen: .no,
        spellingOf: spellings?.first,
        body: .known(crowd.bodies[body])
      )
      crowd.bodies[body] = added.body
      id = added.id
    }
    let variant = StoredVariant(
      id: id ?? 0,
      hash: row.hash,
      textHash: prepared.textHash,
      seen: .no,
      facts: row.facts,
      notices: RowNotices(row)
    )
    crowd.note(variant)
    return variant
  }

  /// What is shown of an observation that becomes seen though it is not the one that arrived.
  private func shown(
    _ hash: SHA256Digest,
    as key: StoredKey,
    _ crowd: CrowdedKey
  ) throws(RasdError) -> StoredVariant {
    var spellings: [StoredVariant] = []
    for id in crowd.observations[hash]?.rows ?? [] {
      spellings.append(try store.table.variant(id, of: key))
    }
    return try store.resolver.shortestText(spellings)
  }
}
