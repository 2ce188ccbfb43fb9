package import RasdModel
internal import SQLCipherKit

// A held blob whose file is gone, cut or damaged is lost, until a source that has it brings it back.

extension Store {
  /// The held blobs whose files are not there, or are not of their size; none is read.
  package func lostBlobs() throws(RasdError) -> Set<SHA256Digest> {
    var lost: Set<SHA256Digest> = []
    let select = try connection.prepare("SELECT sha256, bytes FROM held_blobs")
    while try select.step() {
      guard let sha256 = select.digest(0) else {
        throw RasdError(.corrupt, .storeDamaged, ["table": "blobs"])
      }
      if !vault.holds(sha256, bytes: Int(select.integer(1))) { lost.insert(sha256) }
    }
    return lost
  }

  /// The active sources that delivered a blob, the latest first.
  package func sources(delivering sha256: SHA256Digest) throws(RasdError) -> [SourceRecord] {
    let select = try connection.statement(
      """
      SELECT DISTINCT d.source FROM blob_deliveries d JOIN blobs b ON b.blob = d.blob
      WHERE b.sha256 = ?1 ORDER BY d.source DESC
      """
    )
    try select.bind(1, sha256)
    defer { select.reset() }
    var found: [SourceRecord] = []
    while try select.step() {
      if let source = ledger.sources[Int(select.integer(0))], source.isActive {
        found.append(source)
      }
    }
    return found
  }
}
