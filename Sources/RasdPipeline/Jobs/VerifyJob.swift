import RasdContainer
import RasdCrypto
package import RasdModel
package import RasdReport

/// Proves exports whole, and every row of them, and changes nothing.
package struct VerifyJob: Sendable {
  private let sources: [String]
  private let keys: KeyInputs
  private let plaintext: PlaintextPolicy

  package init(sources: [String], keys: KeyInputs, allowPlaintext: Bool) {
    self.sources = sources
    self.keys = keys
    plaintext = allowPlaintext ? .allowed : .refused
  }

  /// One export that was proved whole.
  package struct Proved: Sendable {
    package let path: String
    package let identity: SourceIdentity
    package let rows: RowTally
    package let blobs: Int
    package let blobBytes: Int
  }

  package func run(_ run: Run) throws(RasdError) -> [Proved] {
    let preflight = Preflight(run: run, keys: keys, plaintext: plaintext)
    let found = try preflight.look(at: sources)
    var proved: [Proved] = []
    try verify(found.exports, run, &proved)
    let streams = StreamSources(
      preflight: preflight,
      credentials: found.credentials,
      folder: TemporaryFolder.parent
    )
    for other in found.others {
      do throws(RasdError) {
        guard other.kind == .bundle || other.kind == .standardInput else {
          throw RasdError(.corrupt, .notAnExport)
        }
        try streams.forEach(in: other) { (export) throws(RasdError) in
          try verify([export], run, &proved)
        }
      } catch  where error.reason == .interrupted {
        // Said once, by the run's status.
      } catch {
        try run.refuse(other.path, error)
      }
    }
    return proved
  }

  private func verify(
    _ exports: [OpenedExport],
    _ run: Run,
    _ proved: inout [Proved]
  ) throws(RasdError) {
    run.progress.begin(.verifying, total: exports.reduce(0) { $0 + $1.bytes })
    try ExportVerifier(run: run).verifyAll(exports, rows: .checked) {
      (export, proof) throws(RasdError) in
      if let one = try take(export, proof, run) { proved.append(one) }
    }
  }

  private func take(
    _ export: OpenedExport,
    _ proof: ExportProof,
    _ run: Run
  ) throws(RasdError) -> Proved? {
    guard let verification = try proof.admit(export, run) else { return nil }
    let shade = export.shade(run.rules)
    for row in proof.rejected { try run.reject(row.event(in: export, shade), of: export.path) }
    for blob in verification.badBlobs { try run.find(blob: blob, in: export) }
    try run.done(
      SourceDone(path: export.path, tables: proof.tables, known: false, seconds: run.seconds)
    )
    run.bytes += export.bytes
    return Proved(
      path: export.path,
      identity: export.identity,
      rows: proof.tables.sum,
      blobs: verification.blobs.count,
      blobBytes: verification.blobs.bytes
    )
  }
}
