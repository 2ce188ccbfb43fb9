package import RasdCrypto

/// The keys of payload envelopes and sealed field values, by their key id.
package struct FieldKeys: Sendable {
  package struct Key: Sendable {
    /// The key id as it stands in an envelope, 1 to 255 bytes.
    package let kid: [UInt8]
    /// 32 bytes.
    package let secret: Secret

    package init(kid: String, secret: Secret) {
      self.kid = Array(kid.utf8)
      self.secret = secret
    }
  }

  package var keys: [Key]

  package init(_ keys: [Key] = []) { self.keys = keys }

  func key(for kid: Span<UInt8>) -> Key? {
    keys.first { key in
      key.kid.count == kid.count && key.kid.indices.allSatisfy { key.kid[$0] == kid[$0] }
    }
  }
}
