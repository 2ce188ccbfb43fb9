package import RasdModel

/// A blob that was read to its end and is what its name says.
package struct ProvedBlob: Sendable {
  package let sha256: SHA256Digest
  package let bytes: Int
  private let vault: BlobVault
  private let first: [UInt8]

  fileprivate init(_ sha256: SHA256Digest, bytes: Int, _ vault: BlobVault, first: [UInt8]) {
    (self.sha256, self.bytes, self.vault, self.first) = (sha256, bytes, vault, first)
  }

  /// Gives its bytes, a part at a time; of an empty one, one part.
  ///
  /// Most blobs are one part, which is still at hand; others are read once more.
  package func forEachPart(_ body: ([UInt8]) throws(RasdError) -> Void) throws(RasdError) {
    if first.count == bytes { return try body(first) }
    guard var reader = try vault.reader(sha256) else { throw BlobVault.missing(sha256) }
    while let part = try reader.next() { try body(part) }
  }
}

extension BlobVault {
  /// Reads a blob whole, or says what is wrong with it: `entry-missing`, `entry-damaged`,
  /// `blob-hash-mismatch`, or what the disk said.
  package func proved(_ sha256: SHA256Digest) -> Result<ProvedBlob, RasdError> {
    Result { () throws(RasdError) in
      guard var reader = try reader(sha256) else { throw Self.missing(sha256) }
      let first = try reader.next() ?? []
      var bytes = first.count
      while let part = try reader.next() { bytes += part.count }
      return ProvedBlob(sha256, bytes: bytes, self, first: first)
    }
  }

  fileprivate static func missing(_ sha256: SHA256Digest) -> RasdError {
    RasdError(.corrupt, .entryMissing, ["sha256": .text(sha256.hex)])
  }
}
