internal import RasdModel
internal import SQLCipherKit

/// A submission's attachment list in one column: for each item its id's length (u16) and
/// bytes, a byte of flags, then its length (u64) and hash (32 bytes) where the flags say so.
enum ListedColumn {
  private static let hasBytes: UInt8 = 1
  private static let hasHash: UInt8 = 2
  private static let isMalformed: UInt8 = 4

  static func encode(_ items: [ListedAttachment]) -> [UInt8] {
    var out: [UInt8] = []
    for item in items {
      let id = Array(item.id.utf8.prefix(Int(UInt16.max)))
      out.append(UInt8(truncatingIfNeeded: id.count >> 8))
      out.append(UInt8(truncatingIfNeeded: id.count))
      out.append(contentsOf: id)
      out.append(
        (item.claim.bytes == nil ? 0 : hasBytes) | (item.claim.sha256 == nil ? 0 : hasHash)
          | (item.claim.isMalformed ? isMalformed : 0)
      )
      if let bytes = item.claim.bytes {
        for shift in stride(from: 56, through: 0, by: -8) {
          out.append(UInt8(truncatingIfNeeded: bytes >> Int64(shift)))
        }
      }
      if let hash = item.claim.sha256 { out.append(contentsOf: hash.bytes) }
    }
    return out
  }

  static func decode(_ statement: Statement, _ column: Int32) -> [ListedAttachment] {
    statement.withBytes(column) { bytes in
      var items: [ListedAttachment] = []
      var cursor = ByteCursor(bytes)
      while let item = try? item(&cursor) { items.append(item) }
      return items
    }
  }

  private static func item(_ cursor: inout ByteCursor) throws(ByteCursor.OutOfBytes)
    -> ListedAttachment
  {
    let length = Int(try cursor.u16be())
    let id = String(decoding: [UInt8](copying: try cursor.take(length)), as: UTF8.self)
    let flags = try cursor.u8()
    var claim = BlobClaim(bytes: nil, sha256: nil, isMalformed: flags & isMalformed != 0)
    if flags & hasBytes != 0 { claim.bytes = Int64(bitPattern: try cursor.u64be()) }
    if flags & hasHash != 0 { claim.sha256 = SHA256Digest(bytes: try cursor.take(32)) }
    return ListedAttachment(id: id, claim: claim)
  }
}
