/// How an attachment id or a table's name stands in an entry or file name (the format, §Entries).
///
/// Every byte of the UTF-8 outside `[A-Za-z0-9_-]`, and no other, is `%XX` in upper-case hex,
/// so each name has exactly one escaped form.
package enum EntryEscape {
  private static let digits: [UInt8] = Array("0123456789ABCDEF".utf8)

  package static func escape(_ name: String) -> String {
    var text: [UInt8] = []
    for byte in name.utf8 {
      if isPlain(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The name that `text` stands for; nil where `escape` could not have written it.
  package static func unescape(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if isPlain(byte) {
        bytes.append(byte)
        continue
      }
      guard byte == UInt8(ascii: "%"), let high = digit(rest.popFirst()),
        let low = digit(rest.popFirst()), !isPlain(high << 4 | low)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func digit(_ byte: UInt8?) -> UInt8? {
    guard let byte, !(UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) else { return nil }
    return Hex.value(of: byte, .anyCase)
  }
}
