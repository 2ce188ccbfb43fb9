internal import RasdModel

extension Salvage {
  /// Pages that are asked which profile's tables they are of.
  private static let voters = 96

  /// The profile that a schema fits best, by the tables it names.
  func profile(of entries: [SchemaEntry], isDamaged: Bool) -> Profile? {
    let tables = entries.compactMap { entry in
      entry.kind == .table ? TableParser.parse(entry.sql.span, name: entry.name) : nil
    }
    return
      profiles
      .map { (profile: $0, count: $0.matches(tables)) }
      // Half of an application's tables are more than a coincidence of names and columns. Of a
      // schema that lost pages any table that is left may be the only one.
      .filter { $0.count > 0 && (isDamaged || 2 * $0.count >= $0.profile.tables.count) }
      .max { $0.count < $1.count }?.profile
  }

  /// The profile whose tables the pages look like, where no schema says what they are; the one
  /// there is where a person has named it.
  func profileByPages() async throws(RasdError) -> Profile? {
    guard profiles.count > 1 else { return profiles.first }
    let leaves = (1...max(1, map.count)).filter {
      map.shape($0) == .tableLeaf || map.shape($0) == .indexLeaf
    }
    let step = max(1, leaves.count / Self.voters)
    let asked = stride(from: 0, to: leaves.count, by: step).map { leaves[$0] }
    let candidates = profiles.map { profile in
      var catalog = Catalog(encoding: catalog.encoding)
      catalog.addMissing(of: profile)
      return Attribution(catalog, spill: spill)
    }
    var scores = Array(repeating: 0, count: profiles.count)
    try await source.forEach(of: asked, workers: options.workers) { page in
      candidates.map { candidate in
        var attribution = candidate
        return attribution.judge(page)
      }
    } consume: { (ballots: [Attribution.Ballot]) throws(RasdError) in
      for (i, ballot) in ballots.enumerated() {
        if case .table(1...) = ballot.verdict { scores[i] += ballot.score }
      }
    }
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[best] > 0 else {
      return nil
    }
    return profiles[best]
  }
}
