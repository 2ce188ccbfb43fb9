/// Reads the few forms of DER (X.690) that a key of ours has; nil for anything else.
///
/// A failed read does not move.
struct DER: ~Escapable {
  private(set) var rest: Span<UInt8>

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  enum Tag {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30
    static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }
    static func primitiveContext(_ number: UInt8) -> UInt8 { 0x80 | number }
  }

  /// The contents of the next element, if it has this tag.
  @_lifetime(copy self)
  mutating func read(_ tag: UInt8) -> Span<UInt8>? {
    guard rest.count >= 2, rest[0] == tag else { return nil }
    var header = 2
    var length = Int(rest[1])
    if length == 0x81 {
      // No key of ours has an element of 256 bytes.
      guard rest.count >= 3, rest[2] >= 0x80 else { return nil }
      length = Int(rest[2])
      header = 3
    } else if length >= 0x80 {
      return nil
    }
    guard rest.count - header >= length else { return nil }
    let contents = rest.extracting(header..<header + length)
    rest = rest.extracting(droppingFirst: header + length)
    return contents
  }

  /// The next element of this tag, entered.
  @_lifetime(copy self)
  mutating func enter(_ tag: UInt8) -> DER? {
    guard let contents = read(tag) else { return nil }
    return DER(contents)
  }

  /// The next element, an integer from 0 to 127.
  mutating func readSmallInteger() -> UInt8? {
    guard let contents = read(Tag.integer), contents.count == 1, contents[0] < 0x80 else {
      return nil
    }
    return contents[0]
  }

  /// Whether the next element, taken, is this object identifier.
  mutating func readIdentifier(_ identifier: [UInt8]) -> Bool {
    guard let contents = read(Tag.objectIdentifier) else { return false }
    return Libcrypto.equal(contents, identifier.span)
  }

  /// The contents of the next element, a bit string of whole bytes.
  @_lifetime(copy self)
  mutating func readBitString(_ tag: UInt8 = Tag.bitString) -> Span<UInt8>? {
    guard let contents = read(tag), contents.count >= 1, contents[0] == 0 else { return nil }
    return contents.extracting(droppingFirst: 1)
  }
}
