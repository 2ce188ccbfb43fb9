/// How a file divides into pages.
package struct PageLayout: Hashable, Sendable {
  /// 512 … 65536, a power of two.
  package let pageSize: Int
  /// Bytes at the end of each page that b-trees leave alone (SQLCipher: IV, HMAC and padding).
  package let reserved: Int
  /// File offset of page 1: above 0 where bytes were put in front, below 0 where some are missing.
  package let start: Int64

  package var usable: Int { pageSize - reserved }

  /// The page that holds file offset 1 GiB, which SQLite locks and never uses.
  package var lockBytePage: UInt32 { UInt32(0x4000_0000 / pageSize) + 1 }

  /// File offset of a page, below 0 where its beginning is missing.
  package func offset(of number: UInt32) -> Int64 {
    start + (Int64(number) - 1) * Int64(pageSize)
  }

  /// Number of pages, a cut one included, that a file of this many bytes holds.
  package func count(fileSize: Int64) -> UInt32 {
    let held = fileSize - start
    guard held > 0 else { return 0 }
    let pages = (held - 1) / Int64(pageSize) + 1
    return UInt32(clamping: pages)
  }

  /// Every page size there is, smallest first.
  package static let pageSizes = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536]

  package static func isPageSize(_ size: Int) -> Bool {
    size >= 512 && size <= 65_536 && size & (size - 1) == 0
  }
}
