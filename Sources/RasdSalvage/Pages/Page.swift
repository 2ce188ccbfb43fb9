/// One page as evidence gives it: decrypted bytes, how far they are proved, and where they lay.
package struct Page: Sendable {
  /// Page number, from 1.
  package let number: UInt32
  /// The whole page, `pageSize` long; of page 1 with the 100-byte database header in front.
  package let bytes: [UInt8]
  /// Bytes of the page that b-trees use: page size less the reserved bytes at its end.
  package let usable: Int
  package let verdict: PageVerdict
  /// Where the page's stored bytes begin in the file that `origin` names.
  package let fileOffset: UInt64
  package let origin: PageOrigin
  package let standing: PageStanding
  /// Parts of `bytes` that are known not to be what was written; zero there.
  ///
  /// Past the end of a cut file, sectors zeroed under encryption, a first block without its IV.
  package var unreadable: [Range<Int>] = []

  /// Whether every byte is zero: an unused page, or one that was wiped.
  package var isZero: Bool { bytes.allSatisfy { $0 == 0 } }
}

/// What a page proves of itself; no page's verdict touches another's.
package enum PageVerdict: String, Hashable, Sendable, CaseIterable {
  /// Its HMAC holds.
  case intact
  /// Nothing to prove it by: a plain page, SQLCipher 1, HMAC off, or a key without its salt.
  case unproved
  /// Its HMAC does not hold; it was decrypted all the same.
  case hmacFailed = "hmac-failed"
  /// A WAL frame or journal record of a plain file whose checksum does not hold.
  case checksumFailed = "checksum-failed"

  /// Whether something that should have proved the page says it was altered.
  package var isFailed: Bool { self == .hmacFailed || self == .checksumFailed }
}

/// Which file a page was read from.
package enum PageOrigin: Hashable, Sendable {
  case database
  /// A frame of the WAL with this index among the source's WALs; frames count from 1.
  case wal(file: Int, frame: Int, state: WALFrameState)
  /// A pre-image in the rollback journal with this index; records count from 1.
  case journal(file: Int, record: Int)
  /// The older copy of the database with this index.
  case olderCopy(file: Int)
}

/// Where a WAL frame stands in its file's own history.
package enum WALFrameState: String, Hashable, Sendable {
  /// At or before the last commit of the newest generation.
  case committed
  /// Of the newest generation, past its last commit.
  case uncommitted
  /// Left by an earlier generation, before the WAL was restarted.
  case earlier = "earlier-generation"
}

/// What a page is to the database as it stands.
package enum PageStanding: String, Hashable, Sendable {
  /// The newest sound version of the page: what a reader of the database sees.
  case current
  /// A newer committed version than `current` whose frame is damaged. Its rows are live as far
  /// as they decode, and never outrank a row of the current page.
  case disputed
  /// Superseded, never committed, or a pre-image: history.
  case history
}
