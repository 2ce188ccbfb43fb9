internal import COpenSSL
internal import RasdModel
// The standard library normalises strings to compare them; this is the one way to it without
// Foundation. A test compares it with another implementation.
@_spi(_Unicode) internal import Swift

enum NormalForm {
  /// Text in normal form C; nil where it is not UTF-8.
  ///
  /// The copies that pass through a `String` are overwritten where they can be reached; the few
  /// characters that the standard library holds at a time are not.
  static func c(of text: Span<UInt8>) -> Secret? {
    guard var string = String(validating: [UInt8](copying: text), as: UTF8.self) else { return nil }
    // No character's form C is longer in UTF-8 than three times what it was (UAX #15, §9).
    let form = Secret(capacity: text.count * 3) { output in
      for scalar in string._nfc {
        for byte in String(scalar).utf8 { output.append(byte) }
      }
    }
    string.withUTF8 {
      unsafe OPENSSL_cleanse(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count)
    }
    return form
  }
}
