/// SHA-512 (FIPS 180-4).
package enum SHA512 {
  package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
    DigestContext.digest(.sha512, bytes)
  }
}

/// SHA-1, for nothing but the SQLCipher formats that used it.
package enum SHA1 {
  package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
    DigestContext.digest(.sha1, bytes)
  }
}
