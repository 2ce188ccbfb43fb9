internal import RasdModel
internal import SQLCipherKit

extension Statement {
  func bind(_ index: Int32, _ digest: SHA256Digest) throws(RasdError) {
    let words = digest.words
    let bytes: InlineArray<4, UInt64> = [
      words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian,
    ]
    try unsafe bind(index, blob: bytes.span.bytes)
  }

  func bind(_ index: Int32, _ digest: SHA256Digest?) throws(RasdError) {
    if let digest { try bind(index, digest) } else { try bindNull(index) }
  }

  func bind(_ index: Int32, optionalText text: String?) throws(RasdError) {
    if let text { try bind(index, text: text) } else { try bindNull(index) }
  }

  /// A digest's column; nil where it is NULL.
  func digest(_ column: Int32) -> SHA256Digest? {
    withBytes(column) { SHA256Digest(bytes: $0) }
  }

  func optionalText(_ column: Int32) -> String? {
    isNull(column) ? nil : text(column)
  }
}
