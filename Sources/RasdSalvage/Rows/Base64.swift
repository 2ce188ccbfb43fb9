/// Base64 with padding (RFC 4648, §4), as BLOBs stand in rows.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  static func append(_ bytes: Span<UInt8>, to out: inout [UInt8]) {
    out.reserveCapacity(out.count + (bytes.count + 2) / 3 * 4)
    var at = 0
    while at + 3 <= bytes.count {
      let group = UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
      for shift in [18, 12, 6, 0] { out.append(alphabet[Int(group >> UInt32(shift) & 63)]) }
      at += 3
    }
    let rest = bytes.count - at
    guard rest > 0 else { return }
    var group = UInt32(bytes[at]) << 16
    if rest == 2 { group |= UInt32(bytes[at + 1]) << 8 }
    out.append(alphabet[Int(group >> 18 & 63)])
    out.append(alphabet[Int(group >> 12 & 63)])
    out.append(rest == 2 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
    out.append(UInt8(ascii: "="))
  }
}
