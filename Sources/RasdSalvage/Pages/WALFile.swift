/// The index of one write-ahead log: every frame with where it stands and what it proves.
///
/// SQLite stops at the first frame that does not continue the checksum chain. Here each frame is
/// judged against the checksum stored in the frame before it, so that damage stays where it is.
struct WALFile: Sendable {
  let store: ByteStore
  let pageSize: Int
  let order: WALChecksum.Order
  /// Whether the header is missing or wrong, and what it says was found from the frames.
  let headerLost: Bool
  /// From the header, or 0: a later checkpoint sequence is a later generation.
  let sequence: UInt32
  var frames: [Frame]
  /// Database size in pages after the last commit, where a sound frame says so.
  let committedSize: UInt32?

  static let headerSize = 32
  static let frameHeaderSize = 24
  static let version: UInt32 = 3_007_000

  struct Frame: Sendable {
    let number: UInt32
    /// Database size in pages where the frame commits a transaction, else 0.
    let commit: UInt32
    var link: Link
    var state: WALFrameState
  }

  /// What the chain of checksums says of a frame.
  enum Link: UInt8, Sendable {
    /// It continues the frame before it.
    case holds
    /// It does not: the page or the frame's header was altered.
    case broken
    /// The frame before it is too damaged to tell.
    case unknown
  }

  func offset(ofFrame index: Int) -> Int64 {
    Int64(Self.headerSize) + Int64(index) * Int64(Self.frameHeaderSize + pageSize)
  }

  /// File offset of a frame's page.
  func pageOffset(ofFrame index: Int) -> Int64 {
    offset(ofFrame: index) + Int64(Self.frameHeaderSize)
  }
}

/// The 32 bytes in front of a WAL.
struct WALHeader {
  let order: WALChecksum.Order
  let pageSize: Int
  let sequence: UInt32
  let salts: UInt64
  let checksum: WALChecksum
  /// Whether magic, version, page size and checksum are all as they must be.
  let isSound: Bool

  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= WALFile.headerSize else { return nil }
    let magic = bytes.u32(0)
    order = magic & 1 == 1 ? .big : .little
    pageSize = Int(bytes.u32(8))
    sequence = bytes.u32(12)
    salts = UInt64(bytes.u32(16)) << 32 | UInt64(bytes.u32(20))
    checksum = WALChecksum(s0: bytes.u32(24), s1: bytes.u32(28))
    var own = WALChecksum()
    own.add(bytes.extracting(0..<24), order)
    isSound =
      magic & ~1 == 0x377F_0682 && bytes.u32(4) == WALFile.version
      && PageLayout.isPageSize(pageSize) && own == checksum
  }
}

/// The 24 bytes in front of each page of a WAL.
struct WALFrameHeader {
  let number: UInt32
  let commit: UInt32
  let salts: UInt64
  let checksum: WALChecksum

  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= WALFile.frameHeaderSize else { return nil }
    number = bytes.u32(0)
    commit = bytes.u32(4)
    salts = UInt64(bytes.u32(8)) << 32 | UInt64(bytes.u32(12))
    checksum = WALChecksum(s0: bytes.u32(16), s1: bytes.u32(20))
  }
}
