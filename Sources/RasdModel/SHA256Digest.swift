/// A SHA-256 value: 32 bytes, ordered bytewise.
package struct SHA256Digest: Hashable, Comparable, Sendable, CustomStringConvertible {
  // Four big-endian words: equality and order are then four integer comparisons.
  package let words: (UInt64, UInt64, UInt64, UInt64)

  package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// Nil unless there are exactly 32 bytes.
  package init?(bytes: Span<UInt8>) {
    guard bytes.count == 32 else { return nil }
    func word(_ at: Int) -> UInt64 {
      var value: UInt64 = 0
      for i in at..<(at + 8) { value = value << 8 | UInt64(bytes[i]) }
      return value
    }
    words = (word(0), word(8), word(16), word(24))
  }

  package init?(bytes: [UInt8]) { self.init(bytes: bytes.span) }

  /// Nil unless `hex` is 64 lower-case hexadecimal digits.
  package init?(hex: some StringProtocol) {
    guard hex.utf8.count == 64, let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes: bytes.span)
  }

  /// The digest a row writes as `sha256:<hex>`; nil for anything else.
  package init?(prefixed text: some StringProtocol) {
    guard text.utf8.starts(with: "sha256:".utf8) else { return nil }
    self.init(hex: text.dropFirst(7))
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in [words.0, words.1, words.2, words.3] {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  package var hex: String { Hex.encode(bytes) }

  /// `sha256:<hex>`, as checksums and definition hashes are written.
  package var prefixed: String { "sha256:" + hex }

  package var description: String { hex }

  package static func == (a: SHA256Digest, b: SHA256Digest) -> Bool { a.words == b.words }

  package static func < (a: SHA256Digest, b: SHA256Digest) -> Bool { a.words < b.words }

  package func hash(into hasher: inout Hasher) {
    // Already uniform: two of the words are enough for a table.
    hasher.combine(words.0)
    hasher.combine(words.3)
  }
}

/// SHA-256 of bytes: this module does no hashing itself, its callers bring the function.
package typealias SHA256Function = @Sendable (Span<UInt8>) -> SHA256Digest
