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

/// Every copy of `bytes` with one bit of one byte changed.
func flips(_ bytes: [UInt8]) -> some Sequence<(index: Int, bytes: [UInt8])> {
  bytes.indices.lazy.map { index in
    var changed = bytes
    changed[index] ^= 1 << UInt8(index % 8)
    return (index, changed)
  }
}
