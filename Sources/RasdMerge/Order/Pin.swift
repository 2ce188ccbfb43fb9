package import RasdModel

/// A decision for one version of a submission against the order (the merge rules, §Other
/// policies): `keep-local` and `keep-import` leave these behind.
package struct Pin: Hashable, Sendable {
  package var clientRev: Int64
  package var digest: SHA256Digest
  /// The highest `clientRev` that was held when the decision was made: one above it ends it.
  package var until: Int64

  package init(clientRev: Int64, digest: SHA256Digest, until: Int64) {
    self.clientRev = clientRev
    self.digest = digest
    self.until = until
  }

  /// Whether the decision is for this version and nothing above what it knew has arrived.
  func isHeld(by version: SubmissionVersion, among versions: [SubmissionVersion]) -> Bool {
    version.clientRev == clientRev && version.digest == digest
      && !versions.contains { $0.clientRev > until }
  }

  /// Of two decisions that two stores made for one submission, the one that knew more holds;
  /// then any total order does, so that stores merge to one answer in either direction.
  package static func stronger(_ a: Pin, _ b: Pin) -> Pin {
    (a.until, a.clientRev, a.digest) < (b.until, b.clientRev, b.digest) ? b : a
  }
}

/// What a person asked for where two sources disagree.
package enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
  case keepHigherRev = "keep-higher-rev"
  case keepLocal = "keep-local"
  case keepImport = "keep-import"
}

extension Pin {
  /// The decision that an arrival calls for under `policy`; nil where the order does the same
  /// or the version may not be seen.
  ///
  /// `before`: the version that was seen before the arrival, nil for a new id.
  /// `arrived`: the version that the arriving row is of.
  /// `after`: what stands with the arrival.
  package static func decided(
    _ policy: ConflictPolicy,
    before: (clientRev: Int64, digest: SHA256Digest)?,
    arrived: (clientRev: Int64, digest: SHA256Digest),
    after: SubmissionStanding
  ) -> Pin? {
    let wanted: (clientRev: Int64, digest: SHA256Digest)?
    switch policy {
    case .keepHigherRev: wanted = nil
    case .keepLocal: wanted = before
    case .keepImport: wanted = arrived
    }
    guard let wanted, let highest = after.versions.last?.clientRev else { return nil }
    let seen = after.seen
    if (seen.clientRev, seen.digest) == wanted { return nil }
    let mayBeSeen = after.running.contains {
      (after.versions[$0].clientRev, after.versions[$0].digest) == wanted
    }
    guard mayBeSeen else { return nil }
    return Pin(clientRev: wanted.clientRev, digest: wanted.digest, until: highest)
  }
}
