package import RasdModel

/// Which observation of an attachment is seen (the merge rules, §Order of observations,
/// Attachments).
package enum AttachmentOrder {
  /// Nil for no observations.
  ///
  /// `listed`: for each observation, the hash that the list of its own visible
  ///   submission gives this attachment; nil where it is not listed or no hash is given.
  package static func resolve(
    _ observations: [Observation<AttachmentFacts>],
    listed: [SHA256Digest?]
  ) -> KeyStanding? {
    let seen = observations.indices.max { a, b in
      let (x, y) = (observations[a], observations[b])
      let (p, q) = (isListed(x, listed[a]), isListed(y, listed[b]))
      if p != q { return q }
      if x.facts.status != y.facts.status { return x.facts.status < y.facts.status }
      if x.facts.updatedAt != y.facts.updatedAt {
        return lowestFirst(x.facts.updatedAt, y.facts.updatedAt)
      }
      return x.hash < y.hash
    }
    return seen.map { KeyStanding(seen: $0) }
  }

  private static func isListed(
    _ observation: Observation<AttachmentFacts>,
    _ listed: SHA256Digest?
  ) -> Bool {
    guard let listed else { return false }
    return observation.facts.claim.sha256 == listed
  }
}
