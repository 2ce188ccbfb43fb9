/// Strict UTF-8 (RFC 3629): no surrogates, nothing overlong, nothing above U+10FFFF.
///
/// Strings outside ASCII are short and many here; the standard library's check of a whole
/// text costs three times as much as all of theirs.
enum UTF8Check {
  static func prove(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(JSONError) {
    var at = start
    while at < end {
      let lead = bytes[at]
      if lead < 0x80 {
        at += 1
        continue
      }
      let count: Int
      // The second byte is where overlong forms, surrogates and too much show.
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: count = 2
      case 0xE0...0xEF:
        count = 3
        if lead == 0xE0 { second = 0xA0...0xBF }
        if lead == 0xED { second = 0x80...0x9F }
      case 0xF0...0xF4:
        count = 4
        if lead == 0xF0 { second = 0x90...0xBF }
        if lead == 0xF4 { second = 0x80...0x8F }
      default: throw JSONError(.invalidUTF8, at: at)
      }
      guard at + count <= end, second.contains(bytes[at + 1]) else {
        throw JSONError(.invalidUTF8, at: at)
      }
      for i in (at + 2)..<(at + max(2, count)) where bytes[i] & 0xC0 != 0x80 {
        throw JSONError(.invalidUTF8, at: at)
      }
      at += count
    }
  }
}
