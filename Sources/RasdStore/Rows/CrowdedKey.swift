internal import RasdMerge
internal import RasdModel

/// A key of which very many contents came, as somebody might send who means harm: what an
/// arrival must know of them, kept, so that it costs the same however many there are.
///
/// It is true for as long as nothing but arrivals changes what is stored of the key.
struct CrowdedKey {
  /// From here on a key is worth remembering.
  static let fewest = 64

  /// The spellings of an observation: rows by the hashes of their texts.
  struct Spellings {
    let first: Int64
    let firstText: SHA256Digest?
    var others: [SHA256Digest?: Int64] = [:]

    func row(ofText hash: SHA256Digest?) -> Int64? {
      hash == firstText ? first : others[hash]
    }

    var rows: [Int64] { [first] + others.values }
  }

  private(set) var observations: [SHA256Digest: Spellings] = [:]
  /// What stands of a submission.
  private(set) var tally = SubmissionTally()
  /// What a reader sees.
  var seen: StoredVariant
  /// The rows of bodies, by their hashes.
  var bodies: [SHA256Digest: Int64]

  /// Nil where some of the variants are out of the set, or none is seen.
  init?(_ variants: [StoredVariant], bodies: [SHA256Digest: Int64]) {
    guard let seen = variants.first(where: { $0.seen != .no }),
      variants.allSatisfy(\.isActive)
    else { return nil }
    self.seen = seen
    self.bodies = bodies
    for variant in variants { note(variant) }
    if case .submission = seen.facts {
      tally = SubmissionTally(Resolver.submissions(Resolver.group(variants)))
    }
  }

  /// Takes note of a row that is stored.
  mutating func note(_ variant: StoredVariant) {
    if observations[variant.hash] == nil {
      observations[variant.hash] = Spellings(first: variant.id, firstText: variant.textHash)
    } else if observations[variant.hash]?.row(ofText: variant.textHash) == nil {
      observations[variant.hash]?.others[variant.textHash] = variant.id
    }
  }

  /// Takes note of who delivered an observation of a submission.
  mutating func count(_ facts: SubmissionFacts, _ hash: SHA256Digest, _ deliveries: Set<Delivery>) {
    tally.add(Observation(facts, hash: hash, deliveries: deliveries))
  }
}

/// The crowded keys of late.
final class CrowdedKeys {
  /// Observations remembered at most, some two hundred bytes each.
  private static let most = 100_000

  private var keys: [StoredKey: CrowdedKey] = [:]

  /// Hands one out, to be given back when it has been brought up to date.
  func take(_ key: StoredKey) -> CrowdedKey? {
    keys.isEmpty ? nil : keys.removeValue(forKey: key)
  }

  func put(_ crowd: CrowdedKey, _ key: StoredKey) {
    let others = keys.values.reduce(0) { $0 + $1.observations.count }
    if others + crowd.observations.count > Self.most { keys.removeAll() }
    keys[key] = crowd
  }

  /// What is stored of the key is changed otherwise than by an arrival.
  func forget(_ key: StoredKey) { if !keys.isEmpty { keys[key] = nil } }

  func forgetAll() { keys.removeAll() }
}
