import RasdModel
import TestSupport

@testable import RasdCrypto

/// The bytes of lower-case hexadecimal text, spaces and line ends left out.
func hex(_ text: String) -> [UInt8] {
  Hex.decode(text.filter { !$0.isWhitespace }) ?? []
}

extension Secret {
  /// For comparing in a test, which is the one place where a secret is copied out.
  var copy: [UInt8] { [UInt8](copying: bytes) }

  convenience init(_ bytes: [UInt8]) { self.init(copying: bytes.span) }
}

extension AES256GCM {
  init(key: [UInt8]) { self.init(key: key.span) }

  mutating func rekey(_ key: [UInt8]) { rekey(key.span) }

  mutating func seal(_ plaintext: [UInt8], nonce: [UInt8], aad: [UInt8]) -> [UInt8] {
    [UInt8](capacity: plaintext.count + Self.tagSize) {
      seal(plaintext.span, nonce: nonce.span, aad: aad.span, into: &$0)
    }
  }

  mutating func open(_ sealed: [UInt8], nonce: [UInt8], aad: [UInt8]) -> [UInt8]? {
    var opened = false
    let plaintext = [UInt8](capacity: sealed.count) {
      opened = open(sealed.span, nonce: nonce.span, aad: aad.span, into: &$0)
    }
    return opened ? plaintext : nil
  }
}

// A temporary array has no span that outlives its expression: tests pass arrays.

extension SHA256 {
  static func digest(_ bytes: [UInt8]) -> SHA256Digest { digest(bytes.span) }
}

extension SHA512 {
  static func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes.span) }
}

extension SHA1 {
  static func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes.span) }
}

extension HMAC {
  init(_ function: HashFunction, key: [UInt8]) { self.init(function, key: key.span) }

  mutating func rekey(_ key: [UInt8]) { rekey(key.span) }

  mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  mutating func finish() -> [UInt8] {
    [UInt8](capacity: function.size) { finish(into: &$0) }
  }

  mutating func finish(verifying tag: [UInt8]) -> Bool { finish(verifying: tag.span) }

  static func tag(_ function: HashFunction, key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    tag(function, key: key.span, message.span)
  }
}

extension HKDF {
  static func extract(_ function: HashFunction, salt: [UInt8], _ input: [UInt8]) -> Secret {
    extract(function, salt: salt.span, input.span)
  }

  static func expand(_ function: HashFunction, key: [UInt8], info: [UInt8], count: Int) -> Secret {
    expand(function, key: key.span, info: info.span, count: count)
  }
}

extension ChunkedSeal {
  mutating func seal(_ plaintext: [UInt8], context: [UInt8]) -> [UInt8] {
    seal(plaintext.span, context: context.span)
  }

  mutating func open(_ sealed: [UInt8], context: [UInt8]) throws(Damage) -> [UInt8] {
    try open(sealed.span, context: context.span)
  }

  mutating func rescue(_ sealed: [UInt8], context: [UInt8]) -> Rescued? {
    rescue(sealed.span, context: context.span)
  }
}

/// Every copy of `bytes` with one bit of one byte changed.
func flips(_ bytes: [UInt8]) -> some Sequence<(index: Int, bytes: [UInt8])> {
  bytes.indices.lazy.map { index in
    var changed = bytes
    changed[index] ^= 1 << UInt8(index % 8)
    return (index, changed)
  }
}
