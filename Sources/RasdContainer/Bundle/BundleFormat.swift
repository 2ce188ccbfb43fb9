/// A kind of archive that exports come in.
package enum BundleFormat: String, Sendable, CaseIterable {
  case zip, tar
  case tarGzip = "tar.gz"
  case tarZstd = "tar.zst"

  /// Enough of a file to tell: a tar's header.
  package static let headSize = 512

  /// Told by the first bytes, never by a name; nil for what is no bundle.
  package init?(head: [UInt8]) {
    if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || head.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
      self = .zip
    } else if head.starts(with: [0x1F, 0x8B]) {
      self = .tarGzip
    } else if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      self = .tarZstd
    } else if head.count >= Self.headSize, Self.isTarHeader(head) {
      self = .tar
    } else {
      return nil
    }
  }

  /// The checksum that every tar header has, also those from before `ustar`: the sum of its bytes
  /// with blanks for the checksum itself.
  private static func isTarHeader(_ head: [UInt8]) -> Bool {
    let field = 148..<156
    let digits = head[field].drop { $0 == UInt8(ascii: " ") }
      .prefix { UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }
    guard let stated = Int(String(decoding: digits, as: UTF8.self), radix: 8) else { return false }
    var sum = field.count * Int(UInt8(ascii: " "))
    for (i, byte) in head.prefix(headSize).enumerated() where !field.contains(i) {
      sum += Int(byte)
    }
    return sum == stated
  }
}
