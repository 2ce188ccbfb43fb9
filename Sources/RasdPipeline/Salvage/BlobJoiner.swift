import RasdContainer
import RasdCrypto
import RasdModel

/// Takes each blob of a rescue from its first byte on, holes counted.
protocol RescuedBlobTaker {
  mutating func begin(_ blob: BlobID) throws(RasdError)
  mutating func append(_ bytes: Span<UInt8>) throws(RasdError)
  /// So many bytes are missing.
  mutating func skip(_ count: Int) throws(RasdError)
  mutating func end(_ blob: BlobID) throws(RasdError)
}

/// Puts the pieces of blobs together as they come out of a damaged export.
///
/// Of a blob that stands in the file twice the first is taken, and of pieces that overlap the
/// first.
struct BlobJoiner: ~Copyable {
  /// A blob as it was put together.
  struct Joined: Hashable {
    let bytes: Int
    let sha256: SHA256Digest
  }

  /// Those without a hole, as far as they were had.
  private(set) var joined: [BlobID: Joined] = [:]
  private var seen: Set<BlobID> = []
  private var current: BlobID?
  /// Whether the current one is given away.
  private var isTaken = false
  private var isTorn = false
  private var position = 0
  private var hash = SHA256()

  /// A hole as long as sixteen full parts is kept in place; what lies behind a longer one is not
  /// worth the disk that a forged offset could fill.
  private static let longestHole = 16 * PartHeader.longestBody

  mutating func take(
    _ bytes: Span<UInt8>,
    _ blob: BlobID,
    offset: Int,
    into taker: inout some RescuedBlobTaker
  ) throws(RasdError) {
    if current != blob { try begin(blob, &taker) }
    guard isTaken, offset >= position, offset - position <= Self.longestHole else { return }
    if offset > position {
      isTorn = true
      try taker.skip(offset - position)
    }
    hash.update(bytes)
    try taker.append(bytes)
    position = offset + bytes.count
  }

  private mutating func begin(
    _ blob: BlobID,
    _ taker: inout some RescuedBlobTaker
  ) throws(RasdError) {
    try end(&taker)
    current = blob
    isTaken = seen.insert(blob).inserted
    (isTorn, position) = (false, 0)
    hash = SHA256()
    if isTaken { try taker.begin(blob) }
  }

  /// Ends the blob at hand, after which another may come.
  mutating func end(_ taker: inout some RescuedBlobTaker) throws(RasdError) {
    guard let blob = current.take(), isTaken else { return }
    if !isTorn { joined[blob] = Joined(bytes: position, sha256: hash.finish()) }
    try taker.end(blob)
  }
}
