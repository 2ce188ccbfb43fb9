package import RasdModel
internal import SQLCipherKit

/// A blob that an active source delivered.
package struct HeldBlob: Hashable, Sendable {
  package let sha256: SHA256Digest
  package let bytes: Int
  /// What a source said it is; of several, the bytewise first.
  package let mime: String?
  let number: Int64
}

extension Store {
  /// Gives every held blob, in the order of their hashes.
  package func forEachHeldBlob(
    _ body: (HeldBlob) throws(RasdError) -> Void
  ) throws(RasdError) {
    let select = try connection.prepare(
      """
      SELECT b.blob, b.sha256, b.bytes,
        (SELECT min(d.mime) FROM blob_deliveries d WHERE d.blob = b.blob)
      FROM held_blobs b ORDER BY b.sha256
      """
    )
    while try select.step() {
      guard let sha256 = select.digest(1) else {
        throw RasdError(.corrupt, .storeDamaged, ["table": "blobs"])
      }
      try body(
        HeldBlob(
          sha256: sha256,
          bytes: Int(select.integer(2)),
          mime: select.optionalText(3),
          number: select.integer(0)
        )
      )
    }
  }

  /// Whether the store holds the bytes of a hash.
  package func isHeld(_ sha256: SHA256Digest) throws(RasdError) -> Bool {
    try blobTable.isHeld(sha256)
  }
}
