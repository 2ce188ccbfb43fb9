internal import RasdMerge
internal import RasdModel
internal import SQLCipherKit

/// Keeps what a reader sees equal to what the merge rules choose among a key's active
/// observations.
final class Resolver {
  let table: ObservationTable
  let pins: PinTable
  let crowds = CrowdedKeys()

  init(_ table: ObservationTable) throws(RasdError) {
    self.table = table
    pins = try PinTable(table.connection)
  }

  /// What a key's observations came to.
  struct Outcome {
    var before: StoredVariant?
    var after: StoredVariant?
    var isConflict: Bool
    /// Submissions: their versions.
    var standing: SubmissionStanding?

    var changedWhatIsSeen: Bool { before?.hash != after?.hash }
  }

  /// Chooses anew for one key, and for the attachments whose choice hangs on a submission's.
  ///
  /// `variants`: what is stored of the key, when it has just been read.
  @discardableResult
  func resolve(_ key: StoredKey, _ variants: [StoredVariant]? = nil) throws(RasdError) -> Outcome {
    crowds.forget(key)
    let variants = if let variants { variants } else { try table.variants(of: key) }
    let before = variants.first { $0.seen != .no }
    let (choice, after) = try chosen(key, variants)
    for variant in variants {
      let seen = variant.id == after?.id ? after?.seen ?? .yes : .no
      if variant.seen != seen { try table.setSeen(variant.id, seen) }
    }
    let outcome = Outcome(
      before: before,
      after: after,
      isConflict: choice?.isConflict ?? false,
      standing: choice?.standing
    )
    if outcome.changedWhatIsSeen {
      try resolveAttachments(listedBy: [before, after].compactMap { $0?.facts })
    }
    return outcome
  }

  /// Whether what is seen of a key is what the rules choose.
  func isSettled(_ key: StoredKey) throws(RasdError) -> Bool {
    let variants = try table.variants(of: key)
    let (_, after) = try chosen(key, variants)
    return variants.allSatisfy { $0.seen == ($0.id == after?.id ? after?.seen : .no) }
  }

  /// The rules' choice, and the spelling that is shown of it.
  private func chosen(
    _ key: StoredKey,
    _ variants: [StoredVariant]
  ) throws(RasdError) -> (Choice?, StoredVariant?) {
    let groups = Self.group(variants)
    guard let choice = try choose(key, groups) else { return (nil, nil) }
    var shown = try shortestText(groups[choice.seen])
    shown.seen = choice.isConflict ? .contested : .yes
    return (choice, shown)
  }

  /// Spellings of one observation.
  typealias Group = [StoredVariant]

  /// The active observations of a key, in the order of their hashes.
  static func group(_ variants: [StoredVariant]) -> [Group] {
    var places: [SHA256Digest: Int] = [:]
    var groups: [Group] = []
    for variant in variants where variant.isActive {
      if let known = places[variant.hash] {
        groups[known].append(variant)
      } else {
        places[variant.hash] = groups.count
        groups.append([variant])
      }
    }
    return groups.sorted { $0[0].hash < $1[0].hash }
  }

  struct Choice {
    var seen: Int
    var isConflict: Bool
    var standing: SubmissionStanding?

    fileprivate init?(_ standing: KeyStanding?) {
      guard let standing else { return nil }
      (seen, isConflict) = (standing.seen, standing.isConflict)
    }

    fileprivate init?(_ standing: SubmissionStanding?) {
      guard let standing else { return nil }
      (seen, isConflict, self.standing) = (standing.seen.speaker, standing.isConflict, standing)
    }
  }

  /// The rules' choice among a key's observations.
  func choose(_ key: StoredKey, _ groups: [Group]) throws(RasdError) -> Choice? {
    switch key.key.table {
    case .submissions:
      return Choice(
        SubmissionOrder.resolve(Self.submissions(groups), pin: try pins.pin(of: key.key))
      )
    case .forms: return Choice(FormOrder.resolve(Self.observations(groups, \.form)))
    case .attachments:
      let observations = Self.observations(groups, \.attachment)
      var listed: [SHA256Digest?] = []
      for observation in observations {
        listed.append(
          observations.count > 1 ? try listedHash(of: observation.facts) : nil
        )
      }
      return Choice(AttachmentOrder.resolve(observations, listed: listed))
    case .datasets: return Choice(DatasetOrder.resolve(Self.observations(groups, \.dataset)))
    case .kv: return Choice(KeyValueOrder.resolve(Self.observations(groups, \.kv)))
    case .outbox: return Choice(OutboxOrder.resolve(Self.observations(groups, \.outbox)))
    case .host:
      return groups.isEmpty ? nil : Choice(KeyStanding(seen: 0))
    }
  }

  static func submissions(_ groups: [Group]) -> [Observation<SubmissionFacts>] {
    observations(groups, \.submission)
  }

  private static func observations<Facts>(
    _ groups: [Group],
    _ facts: (RowFacts) -> Facts?
  ) -> [Observation<Facts>] {
    groups.compactMap { group in
      facts(group[0].facts).map { facts in
        Observation(
          facts,
          hash: group[0].hash,
          deliveries: group.reduce(into: []) { all, variant in
            for one in variant.deliveries {
              all.insert(Delivery(source: one.source, namespace: one.namespace))
            }
          }
        )
      }
    }
  }

  /// The hash that the attachment's own visible submission lists for it.
  private func listedHash(of attachment: AttachmentFacts) throws(RasdError) -> SHA256Digest? {
    guard let submission = attachment.submissionId else { return nil }
    let key = try table.storedKey(RowKey(submission: submission))
    guard let seen = try table.variants(of: key).first(where: { $0.seen != .no }),
      case .submission(let facts) = seen.facts
    else { return nil }
    return facts.listed.first { $0.id.utf8.elementsEqual(attachment.id.utf8) }?.claim.sha256
  }

  /// Chooses anew among the observations of attachments that these submissions list, where
  /// more than one is held.
  func resolveAttachments(listedBy rows: [RowFacts]) throws(RasdError) {
    for case .submission(let facts) in rows {
      for item in facts.listed {
        let key = try table.storedKey(RowKey(attachment: item.id))
        let variants = try table.variants(of: key)
        if variants.count > 1 { try resolve(key, variants) }
      }
    }
  }

  /// Of the spellings of one observation, the bytewise smaller that an active source brought.
  func shortestText(_ group: Group) throws(RasdError) -> StoredVariant {
    guard group.count > 1 else { return group[0] }
    var best = group[0]
    var bestText = try table.text(of: best.id)
    for variant in group.dropFirst() {
      let text = try table.text(of: variant.id)
      if text.lexicographicallyPrecedes(bestText) { (best, bestText) = (variant, text) }
    }
    return best
  }
}

extension RowFacts {
  var form: FormFacts? { if case .form(let facts) = self { facts } else { nil } }
  var submission: SubmissionFacts? { if case .submission(let facts) = self { facts } else { nil } }
  var attachment: AttachmentFacts? { if case .attachment(let facts) = self { facts } else { nil } }
  var dataset: DatasetFacts? { if case .dataset(let facts) = self { facts } else { nil } }
  var outbox: OutboxFacts? { if case .outbox(let facts) = self { facts } else { nil } }
  var kv: KVFacts? { if case .kv(let facts) = self { facts } else { nil } }
}
