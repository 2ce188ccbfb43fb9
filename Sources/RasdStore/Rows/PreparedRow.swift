internal import RasdCrypto
package import RasdModel

/// A row with all that the writer needs and any worker can compute beforehand.
package struct PreparedRow: Sendable {
  package let row: Row
  /// SHA-256 of the text; nil where the text is its own canonical form.
  let textHash: SHA256Digest?
  let keyHash: Int64

  package init(_ row: Row) {
    self.row = row
    let hash = SHA256.digest(row.text.span)
    textHash = hash == row.hash ? nil : hash
    keyHash = Self.hash(of: row.key)
  }

  /// The first 8 bytes of SHA-256 of table and key: what the one index is by.
  static func hash(of key: RowKey) -> Int64 {
    var bytes = Array(key.table.text.utf8)
    bytes.append(0)
    bytes.append(contentsOf: key.text.utf8)
    return Int64(bitPattern: SHA256.digest(bytes.span).words.0)
  }
}
