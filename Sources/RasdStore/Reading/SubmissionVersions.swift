internal import RasdMerge
package import RasdModel

extension Store {
  /// Gives `submission_versions.jsonl`: every version of every submission, one object a line
  /// without its LF, by id, rev and digest.
  package func forEachVersionLine(
    _ body: ([UInt8]) throws(RasdError) -> Void
  ) throws(RasdError) {
    try forEachStanding { (key, groups, standing) throws(RasdError) in
      for version in standing.versions {
        let names = version.namespaces.compactMap { self.names.namespace($0)?.text }
        let speaker = groups[version.speaker][0]
        let status = speaker.facts.submission?.status.shown ?? .draft
        var members: [JSONValue.Member] = [
          .init("id", .string(key.parts.first ?? "")),
          .init("clientRev", .number(JSONNumber(version.clientRev))),
          .init("digest", .string(version.digest.prefixed)),
          .init("status", .string(status.rawValue)),
          .init("visible", .bool(version == standing.seen)),
          .init("conflict", .bool(standing.isConflict)),
          .init("namespaces", .array(names.sorted().map { .string($0) })),
        ]
        if let grade = try grade(of: .submissions, speaker.hash) {
          members.append(.init("grade", .string(grade.rawValue)))
        }
        var line: [UInt8] = []
        JSONValue.object(members).write(to: &line)
        try body(line)
      }
    }
  }

  /// Gives what stands of every submission, by key.
  private func forEachStanding(
    _ body: (RowKey, [Resolver.Group], SubmissionStanding) throws(RasdError) -> Void
  ) throws(RasdError) {
    try forEachVisible(.submissions) { (_, key, _, _) throws(RasdError) in
      let variants = try table.variants(of: try table.storedKey(key))
      let groups = Resolver.group(variants)
      let standing = SubmissionOrder.resolve(
        Resolver.submissions(groups),
        pin: try resolver.pins.pin(of: key)
      )
      if let standing { try body(key, groups, standing) }
    }
  }
}
