internal import RasdMerge
internal import RasdModel
internal import SQLCipherKit

// What several observations of one submission say together: only keys with more than one are
// looked at.

extension Store {
  func forEachHistoryFinding(
    _ body: (Finding) throws(RasdError) -> Void
  ) throws(RasdError) {
    let exports = Dictionary(
      uniqueKeysWithValues: try activeExports().map { ($0.source, $0) }
    )
    var forks: [DeviceFork: Int] = [:]
    var regressions: [RevRegression: Int] = [:]
    try forEachKeyWithHistory { (key) throws(RasdError) in
      let groups = Resolver.group(try table.variants(of: try table.storedKey(key)))
      let observations = Resolver.submissions(groups)
      guard observations.count > 1,
        let standing = SubmissionOrder.resolve(
          observations,
          pin: try resolver.pins.pin(of: key)
        )
      else { return }
      for fork in DeviceFork.all(of: observations, in: standing) { forks[fork, default: 0] += 1 }
      for regression in RevRegression.ofRevs(observations, exports: exports) {
        regressions[regression, default: 0] += 1
      }
      if CrossNamespace.isFound(in: standing) { try body(Finding(.crossNamespace, keys: [key])) }
    }
    for (fork, rows) in forks.sorted(by: {
      $0.key.sources.lexicographicallyPrecedes($1.key.sources)
    }) {
      try body(
        Finding(.deviceFork, sources: fork.sources, details: ["rows": .number(Int64(rows))])
      )
    }
    for regression in RevRegression.ofSequences(Array(exports.values)) {
      regressions[regression, default: 0] += 0
    }
    let sorted = regressions.sorted {
      ($0.key.later, $0.key.earlier) < ($1.key.later, $1.key.earlier)
    }
    for (regression, rows) in sorted {
      try body(
        Finding(
          .revRegression,
          sources: [regression.later, regression.earlier],
          details: ["rows": .number(Int64(rows))]
        )
      )
    }
  }

  /// The exports of devices that are in the set.
  private func activeExports() throws(RasdError) -> [RevRegression.Export] {
    var exports: [RevRegression.Export] = []
    for source in ledger.all where source.isActive && source.description.origin != .store {
      exports.append(
        RevRegression.Export(
          source: source.number,
          namespace: try names.number(source.description.namespace),
          exportedAt: source.exportedAt,
          sequence: source.description.sequence
        )
      )
    }
    return exports
  }

  /// The submissions of which more than one row is stored: read off the index, where equal
  /// hashes of keys stand together.
  private func forEachKeyWithHistory(
    _ body: (RowKey) throws(RasdError) -> Void
  ) throws(RasdError) {
    let shared = try connection.prepare(
      "SELECT khash FROM observations GROUP BY khash HAVING count(*) > 1"
    )
    let keys = try connection.prepare(
      "SELECT DISTINCT key FROM observations WHERE khash = ?1 AND tid = 2"
    )
    while try shared.step() {
      try keys.bind(1, shared.integer(0))
      defer { keys.reset() }
      while try keys.step() {
        guard let key = RowKey(.submissions, text: keys.text(0)) else {
          throw RasdError(.corrupt, .storeDamaged, ["table": "observations"])
        }
        try body(key)
      }
    }
  }

  // MARK: Findings about sources

  func forEachSourceFinding(
    _ body: (Finding) throws(RasdError) -> Void
  ) throws(RasdError) {
    let ahead = try connection.prepare(
      "SELECT source, count(*) FROM deliveries WHERE is_ahead = 1 GROUP BY source"
    )
    while try ahead.step() {
      guard ledger.isActive(Int(ahead.integer(0))) else { continue }
      try body(
        Finding(
          .clockAhead,
          sources: [Int(ahead.integer(0))],
          details: ["rows": .number(ahead.integer(1))]
        )
      )
    }
    let blobs = try connection.prepare(
      """
      SELECT source, key, sha256, bytes FROM quarantine WHERE reason = ?1
      ORDER BY source, number
      """
    )
    try blobs.bind(1, text: Reason.blobHashMismatch.rawValue)
    while try blobs.step() {
      let key = RowKey(.attachments, text: blobs.text(1))
      guard ledger.isActive(Int(blobs.integer(0))), try !isHealed(key) else { continue }
      try body(
        Finding(
          .blobHashMismatch,
          keys: key.map { [$0] } ?? [],
          sources: [Int(blobs.integer(0))],
          blob: blobs.digest(2),
          details: ["bytes": .number(blobs.integer(3))]
        )
      )
    }
  }

  /// Whether another source brought the bytes that an attachment's row says.
  private func isHealed(_ attachment: RowKey?) throws(RasdError) -> Bool {
    guard let attachment, case .attachment(let facts)? = try seen(attachment),
      let sha256 = facts.claim.sha256
    else { return false }
    return try isHeld(sha256)
  }
}
