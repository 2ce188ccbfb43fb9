/// What tells a carved row from the copies of live rows that lie about.
///
/// A row's hash is over its payload as stored. Those of the candidates are kept, not those of
/// the live rows: candidates are few in a sound file. `quick` decides whether a live row need be
/// hashed whole at all.
struct Candidates: Sendable {
  var quick = HashSet64()
  /// Keys of candidates, of tables whose keys are not reused.
  var keys = HashSet64()
  /// Current pages that hold candidates, in order.
  var pages: [UInt32] = []
  var hasHistory = false
  /// Whether rows of pages that no tree reaches are candidates, or are delivered like live ones
  /// because there is hardly anything else.
  var includesOrphans = false

  var isEmpty: Bool { quick.isEmpty }
}

/// Hashes of the live rows that candidates are copies of.
struct Copies {
  var all = HashSet64()
  /// Of pages that do not fail their proof: an orphan is better than the copy of it that one shows
  /// which fails.
  private(set) var sound = HashSet64()

  mutating func add(_ hashes: [UInt64], isDoubtful: Bool) {
    for hash in hashes {
      all.insert(hash)
      if !isDoubtful { sound.insert(hash) }
    }
  }
}

/// The hashes of one row.
struct RowHashes: Hashable, Sendable {
  /// Of the payload's size and its first bytes, which two copies have in common.
  let quick: UInt64
  /// Of all that is known of it.
  let whole: UInt64
  /// Of its payload, whatever its rowid.
  let bare: UInt64

  /// Bytes that `quick` covers, if so many lie in the cell itself.
  private static let prefix = 256

  /// The hashes by which a candidate is looked up among the live rows; `rowid` only where it
  /// says which row it is and was not overwritten.
  static func ofCandidate(
    _ payload: Span<UInt8>,
    local: Int,
    size: Int,
    rowid: Int64?
  ) -> RowHashes {
    let quick = quick(payload, local: local, size: size)
    if payload.count < size {
      return RowHashes(quick: quick, whole: partial(quick), bare: partial(quick))
    }
    let bare = whole(payload, rowid: nil)
    return RowHashes(
      quick: quick,
      whole: rowid == nil ? bare : whole(payload, rowid: rowid),
      bare: bare
    )
  }

  static func quick(_ payload: Span<UInt8>, local: Int, size: Int) -> UInt64 {
    var hash = QuickHash(seed: UInt64(size))
    hash.mix(payload.extracting(0..<min(local, prefix)))
    return hash.value
  }

  static func whole(_ payload: Span<UInt8>, rowid: Int64?) -> UInt64 {
    var hash = QuickHash(seed: rowid == nil ? 1 : 2)
    hash.mix(payload)
    if let rowid { hash.mix(UInt64(bitPattern: rowid)) }
    return hash.value
  }

  /// Of a row whose chain broke, the beginning is all there is to compare.
  static func partial(_ quick: UInt64) -> UInt64 {
    var hash = QuickHash(seed: 3)
    hash.mix(quick)
    return hash.value
  }
}
