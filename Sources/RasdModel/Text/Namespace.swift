/// Whose data an export holds: `<org>.<user>` or one word (the merge rules, §Scope).
package struct Namespace: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  /// At most 64 characters: the Rasd storage contract's `^[a-z0-9][a-z0-9._-]{0,63}$`.
  package static let maximumLength = 64

  /// What private rows stand under where nobody says whose they are.
  package static let unnamed = Namespace(known: "unnamed")

  private init(known text: String) { self.text = text }

  /// Nil where `text` breaks the pattern.
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard let first = bytes.first, Self.isWord(first), bytes.count <= Self.maximumLength,
      bytes.allSatisfy({ Self.isWord($0) || [0x2E, 0x5F, 0x2D].contains($0) })
    else { return nil }
    self.text = String(text)
  }

  /// What stands before the first dot; all of it where there is none.
  package var org: String { String(text.prefix { $0 != "." }) }

  package var description: String { text }

  package static func < (a: Namespace, b: Namespace) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
