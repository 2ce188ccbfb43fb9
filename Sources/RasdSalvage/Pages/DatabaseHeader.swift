/// The 100 bytes in front of page 1 (SQLite file format, §1.3), where they make sense.
package struct DatabaseHeader: Hashable, Sendable {
  package let pageSize: Int
  package let reserved: Int
  /// Pages the header counts, or `nil` where it is stale or 0.
  package let pageCount: UInt32?
  package let firstFreelistTrunk: UInt32
  /// Largest root page in auto-vacuum mode, else 0.
  package let largestRoot: UInt32
  package let encoding: DatabaseEncoding?

  package var autoVacuum: Bool { largestRoot != 0 }

  package static let magic: [UInt8] = Array("SQLite format 3\0".utf8)
  package static let size = 100

  /// Reads the header of a decrypted page 1; `nil` unless the bytes that are fixed are right.
  package init?(_ page: [UInt8]) {
    guard page.count >= Self.size, page.starts(with: Self.magic) else { return nil }
    self.init(fieldsOf: page)
  }

  /// Reads the fields after the magic, which is not looked at.
  package init?(fieldsOf page: [UInt8]) {
    guard page.count >= Self.size else { return nil }
    func u32(_ at: Int) -> UInt32 {
      UInt32(page[at]) << 24 | UInt32(page[at + 1]) << 16 | UInt32(page[at + 2]) << 8
        | UInt32(page[at + 3])
    }
    let stored = Int(page[16]) << 8 | Int(page[17])
    let size = stored == 1 ? 65_536 : stored
    guard PageLayout.isPageSize(size), size - Int(page[20]) >= 480,
      page[18] >= 1, page[18] <= 2, page[19] >= 1, page[19] <= 2,
      page[21] == 64, page[22] == 32, page[23] == 32
    else { return nil }
    pageSize = size
    reserved = Int(page[20])
    pageCount = u32(28) > 0 && u32(24) == u32(92) ? u32(28) : nil
    firstFreelistTrunk = u32(32)
    largestRoot = u32(52)
    encoding = DatabaseEncoding(rawValue: u32(56))
  }
}

/// How a database stores TEXT.
package enum DatabaseEncoding: UInt32, Hashable, Sendable {
  case utf8 = 1
  case utf16LittleEndian = 2
  case utf16BigEndian = 3
}
