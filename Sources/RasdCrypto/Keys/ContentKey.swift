internal import RasdModel

/// The id that a content key belongs to: an export's or a store's UUID.
package struct ExportID: Hashable, Sendable {
  /// Lower case, with hyphens.
  package let text: String
  /// The 16 bytes, *eid* in the format.
  package let bytes: [UInt8]

  /// Nil unless `text` is a lower-case UUID.
  package init?(_ text: String) {
    guard let bytes = UUIDText.bytes(text) else { return nil }
    self.text = text
    self.bytes = bytes
  }
}

/// The 32 random bytes that an export, or a store, is sealed with (the format, §Keys).
package struct ContentKey: Sendable {
  package static let size = 32
  package static let commitmentSize = 32

  package let secret: Secret

  package init(_ secret: Secret) {
    precondition(secret.count == Self.size)
    self.secret = secret
  }

  package static func make() -> ContentKey { ContentKey(SecureRandom.secret(size)) }

  /// `keyCommit`: one key for each value, so that no other opens what this one sealed.
  package func commitment(for id: ExportID) -> [UInt8] {
    [UInt8](copying: derive("rasdx/1 key-commit", for: id).bytes)
  }

  package func matches(_ commitment: [UInt8], for id: ExportID) -> Bool {
    derive("rasdx/1 key-commit", for: id).equals(commitment.span)
  }

  /// A key for another use: HKDF-Expand-SHA512(key, label ‖ 0x00 ‖ eid, 32).
  package func derive(_ label: String, for id: ExportID) -> Secret {
    let info = Array(label.utf8) + [0] + id.bytes
    return HKDF.expand(.sha512, key: secret.bytes, info: info.span, count: Self.commitmentSize)
  }
}
