/// A passphrase: as it was given, and in Unicode's normal form C, which key slots are made of (the
/// format, §Keys).
package struct Passphrase: Sendable {
  /// What SQLCipher takes.
  package let asGiven: Secret
  /// What key slots take; the same memory where nothing is to be normalised.
  package let normalized: Secret

  /// A passphrase of a file or a prompt; one trailing LF or CRLF is not part of it.
  package init(_ text: Span<UInt8>) throws(KeyFault) {
    var count = text.count
    if count > 0, text[count - 1] == UInt8(ascii: "\n") {
      count -= 1
      if count > 0, text[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    }
    let text = text.extracting(..<count)
    guard !text.isEmpty else { throw KeyFault(.empty) }
    if let nature = KeyNature.byteOrderMark(of: text) { throw KeyFault(nature) }
    var isASCII = true
    for i in text.indices {
      guard text[i] != 0 else { throw KeyFault(.binary) }
      if text[i] >= 0x80 { isASCII = false }
    }
    asGiven = Secret(copying: text)
    if isASCII {
      normalized = asGiven
    } else {
      guard let form = NormalForm.c(of: text) else { throw KeyFault(.binary) }
      normalized = form
    }
  }

  package init(_ text: String) throws(KeyFault) {
    try self.init(Array(text.utf8).span)
  }
}

extension Passphrase: CustomStringConvertible {
  package var description: String { "Passphrase" }
}
