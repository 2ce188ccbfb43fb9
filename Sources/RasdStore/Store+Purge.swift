package import RasdModel
internal import SQLCipherKit

/// What a purge deleted.
package struct PurgeReceipt: Hashable, Sendable {
  package var observations = 0
  package var blobs = 0
  package var sources = 0
}

extension Store {
  /// Deletes what only retracted sources delivered; their entries in the ledger stay, so that
  /// the same export is not taken again before somebody says so.
  package func purge() throws(RasdError) -> PurgeReceipt {
    var receipt = PurgeReceipt()
    let retracted = ledger.all.filter { $0.isRetracted && $0.state != .purged }
    guard !retracted.isEmpty else { return receipt }
    var unreferenced: [SHA256Digest] = []
    resolver.crowds.forgetAll()
    try transaction { () throws(RasdError) in
      try connection.execute(
        """
        DELETE FROM deliveries WHERE source IN (SELECT source FROM sources WHERE retracted = 1);
        DELETE FROM blob_deliveries WHERE source IN (SELECT source FROM sources WHERE retracted = 1);
        DELETE FROM quarantine WHERE source IN (SELECT source FROM sources WHERE retracted = 1);
        DELETE FROM staged WHERE source IN (SELECT source FROM sources WHERE retracted = 1);
        """
      )
      let orphans =
        "SELECT oid FROM observations o WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.oid = o.oid)"
      receipt.observations = Int(try connection.integer("SELECT count(*) FROM (\(orphans))") ?? 0)
      try connection.execute(
        """
        DELETE FROM observations WHERE oid IN (\(orphans));
        DELETE FROM grades WHERE line NOT IN (SELECT oid FROM observations);
        DELETE FROM bodies WHERE bid NOT IN
          (SELECT body FROM observations WHERE body IS NOT NULL);
        UPDATE observations SET spelling_of =
          (SELECT nullif(min(p.oid), observations.oid) FROM observations p
            WHERE p.khash = observations.khash AND p.tid = observations.tid
              AND p.key = observations.key AND p.hash = observations.hash)
          WHERE spelling_of IS NOT NULL;
        """
      )
      unreferenced = try blobsWithoutSource()
      receipt.blobs = unreferenced.count
      try connection.execute(
        """
        DELETE FROM blobs WHERE NOT EXISTS
          (SELECT 1 FROM blob_deliveries d WHERE d.blob = blobs.blob);
        """
      )
      for var source in retracted {
        source.state = .purged
        source.tally = [:]
        try ledger.update(source)
        receipt.sources += 1
      }
    }
    // Only now: a file without a row is found again, a row without its file would be damage.
    for sha256 in unreferenced { vault.remove(sha256) }
    try removeLeftovers()
    return receipt
  }

  private func blobsWithoutSource() throws(RasdError) -> [SHA256Digest] {
    let select = try connection.prepare(
      """
      SELECT b.sha256 FROM blobs b
      WHERE NOT EXISTS (SELECT 1 FROM blob_deliveries d WHERE d.blob = b.blob)
        AND NOT EXISTS (SELECT 1 FROM quarantine q WHERE q.sha256 = b.sha256)
      """
    )
    var found: [SHA256Digest] = []
    while try select.step() { if let sha256 = select.digest(0) { found.append(sha256) } }
    return found
  }
}
