internal import RasdModel

/// A 32-byte key given as it is: 64 hexadecimal digits, or 96 with the salt of a database.
package struct RawKey: Sendable {
  package static let size = 32
  /// SQLCipher's salt, the first 16 bytes of a database file.
  package static let saltSize = 16

  package let secret: Secret
  /// Given where a database's own salt is lost.
  package let salt: [UInt8]?

  package init(_ text: Span<UInt8>) throws(KeyFault) {
    let nature = KeyNature(of: text)
    guard nature == .rawKey else { throw KeyFault(nature) }
    let digits = KeyNature.trimmed(text)
    var valid = true
    let bytes = Secret(capacity: digits.count / 2) { output in
      for i in stride(from: 0, to: digits.count, by: 2) {
        guard let high = Hex.value(of: digits[i], .anyCase),
          let low = Hex.value(of: digits[i + 1], .anyCase)
        else {
          valid = false
          return
        }
        output.append(high << 4 | low)
      }
    }
    guard valid else { throw KeyFault(.text) }
    if bytes.count == Self.size {
      secret = bytes
      salt = nil
    } else {
      secret = Secret(copying: bytes.bytes.extracting(first: Self.size))
      salt = [UInt8](copying: bytes.bytes.extracting(last: Self.saltSize))
    }
  }

  package init(_ secret: Secret) {
    precondition(secret.count == Self.size)
    self.secret = secret
    salt = nil
  }

  /// May be printed, since it says nothing of the key; also the kid of the slots made for it.
  package var fingerprint: String {
    let label = Array("rasdkit key fingerprint".utf8)
    return Base64URL.encode(
      HKDF.expand(.sha256, key: secret.bytes, info: label.span, count: 8).bytes
    )
  }
}

extension RawKey: CustomStringConvertible {
  package var description: String { "RawKey(\(fingerprint))" }
}
