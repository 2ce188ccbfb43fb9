package import RasdModel

extension Credentials {
  /// A content key, and what opened it.
  package struct Unlocked: Sendable {
    package let contentKey: ContentKey
    /// Which of the slots, counted from 0.
    package let slot: Int
    package let candidate: Candidate
  }

  /// Opens the first slot that opens, and checks the key against its commitment.
  ///
  /// Bound keys are tried before all others, slots that cost nothing before passphrases. A slot
  /// whose KDF parameters are out of bounds is passed over; it is the error only where no other
  /// opens. Errors (the format, §Verifying): `kdf-limits`, `wrong-key` where a slot fitted,
  /// `no-matching-slot`.
  package func unlock(
    _ slots: [KeySlot],
    of id: ExportID,
    commitment: [UInt8],
    namespace: String?
  ) throws(RasdError) -> Unlocked {
    let candidates = candidates(for: namespace)
    let allowed = Self.withinLimits(slots)
    var fitted = false
    for bound in [true, false] {
      let chosen = candidates.filter { $0.isBound == bound }
      for (index, slot) in Self.cheapestFirst(slots) where allowed.contains(index) {
        for candidate in chosen {
          guard let attempt = slot.attempt(candidate.key, of: id) else { continue }
          fitted = true
          if case .opened(let key) = attempt, key.matches(commitment, for: id) {
            return Unlocked(contentKey: key, slot: index, candidate: candidate)
          }
        }
      }
    }
    let kinds = RasdError.Detail.list(slots.compactMap { $0.kind?.rawValue })
    if allowed.count < slots.count, candidates.contains(where: \.isPassphrase) {
      throw RasdError(.unavailable, .kdfLimits, ["slots": kinds])
    }
    throw RasdError(.keyUnavailable, fitted ? .wrongKey : .noMatchingSlot, ["slots": kinds])
  }

  /// The slots that may be tried: KDF parameters within bounds, each and in all.
  private static func withinLimits(_ slots: [KeySlot]) -> Set<Int> {
    var spent = 0
    return Set(
      slots.indices.filter { index in
        guard case .passphrase(let slot) = slots[index] else { return true }
        guard let iterations = slot.allowedIterations,
          spent + iterations <= PassphraseSlot.iterationsInAll
        else { return false }
        spent += iterations
        return true
      }
    )
  }

  private static func cheapestFirst(_ slots: [KeySlot]) -> [(Int, KeySlot)] {
    let all = Array(slots.enumerated()).map { ($0.offset, $0.element) }
    return all.filter { $0.1.kind != .passphrase } + all.filter { $0.1.kind == .passphrase }
  }
}

extension Credentials.Candidate {
  fileprivate var isPassphrase: Bool { if case .passphrase = key { true } else { false } }
}

extension KeySlot {
  fileprivate enum Attempt {
    case opened(ContentKey)
    case failed
  }

  /// Nil where the key does not fit the slot (the format, §Keys).
  fileprivate func attempt(_ given: Credentials.Key, of id: ExportID) -> Attempt? {
    let key: ContentKey?
    switch (self, given) {
    case (.passphrase(let slot), .passphrase(let passphrase)): key = slot.open(passphrase, of: id)
    case (.key(let slot), .rawKey(let rawKey)): key = slot.open(rawKey, of: id)
    case (.hpke(let slot), .identity(let identity)) where slot.fits(identity):
      key = slot.open(identity, of: id)
    default: return nil
    }
    return key.map(Attempt.opened) ?? .failed
  }
}
