import RasdContainer
import RasdCrypto
package import RasdModel
package import RasdReport

/// Seals one source's rows and blobs, none changed, for another device, and proves by reading
/// back what was written that nothing was lost.
package struct MigrateJob: Sendable {
  package struct Options: Sendable {
    package var recipients = RecipientInputs()
    /// The new device's namespace; nil where it stays.
    package var namespace: Namespace?
    /// Where the receipt goes; beside the export if nil.
    package var receipt: String?
    package var allowsPlaintext = false
    package var overwriting = Overwriting.refused

    package init() {}
  }

  /// What was sealed anew.
  package struct Migrated: Sendable {
    package let from: SourceIdentity
    package let to: SourceIdentity
    package let path: String
    package let receipt: String
    package let rows: RowTally
    package let blobs: Int
    package let blobBytes: Int
  }

  private let source: String
  private let keys: KeyInputs
  private let path: String
  private let options: Options

  package init(source: String, keys: KeyInputs, to path: String, options: Options) {
    self.source = source
    self.keys = keys
    self.path = path
    self.options = options
  }

  /// Nil where the source was refused, or in a dry run.
  package func run(_ run: Run) throws(RasdError) -> Migrated? {
    let recipients = try options.recipients.load(run)
    if recipients.isEmpty, !options.recipients.plaintext {
      throw RasdError(.keyUnavailable, .noRecipient)
    }
    if options.recipients.plaintext {
      try run.find(FindingEvent(.warning, .plaintextWritten, subject: ["path": .text(path)]))
    }
    let receipt = options.receipt ?? "\(path).receipt.jsonl"
    for output in [path, receipt] { try options.overwriting.check(output, run) }
    guard let (export, proof) = try prove(run), let verification = try proof.admit(export, run)
    else { return nil }
    let shade = export.shade(run.rules)
    for row in proof.rejected { try run.emit(row.event(in: export, shade)) }
    for blob in verification.badBlobs { try run.find(blob: blob, in: export) }
    try run.done(
      SourceDone(path: export.path, tables: proof.tables, known: false, seconds: run.seconds)
    )
    guard run.rules.writing == .real else { return nil }

    for output in [path, receipt] { try Outputs.makeParent(of: output) }
    let reseal = Reseal(
      export: export,
      namespace: options.namespace ?? export.namespace,
      recipients: options.recipients.plaintext ? [] : recipients,
      run: run
    )
    let written = try reseal.write(to: path, receipt: receipt, options.overwriting)
    run.bytes += export.bytes
    return Migrated(
      from: export.identity,
      to: written,
      path: path,
      receipt: receipt,
      rows: proof.tables.sum,
      blobs: verification.blobs.count,
      blobBytes: verification.blobs.bytes
    )
  }

  /// The one export that the source is, and whether it is whole.
  private func prove(_ run: Run) throws(RasdError) -> (OpenedExport, ExportProof)? {
    let preflight = Preflight(
      run: run,
      keys: keys,
      plaintext: options.allowsPlaintext ? .allowed : .refused,
      namespace: options.namespace
    )
    let found = try preflight.look(at: [source])
    var exports = found.exports
    let streams = StreamSources(
      preflight: preflight,
      credentials: found.credentials,
      folder: TemporaryFolder.parent
    )
    for other in found.others {
      guard other.kind == .bundle || other.kind == .standardInput else {
        try run.refuse(other.path, RasdError(.corrupt, .notAnExport))
        continue
      }
      try streams.forEach(in: other) { (export) throws(RasdError) in exports.append(export) }
    }
    guard let export = exports.first else { return nil }
    guard exports.count == 1 else {
      throw RasdError(
        .unavailable,
        .severalSources,
        ["path": .text(source), "exports": .number(Int64(exports.count))]
      )
    }
    run.progress.begin(.verifying, total: export.bytes)
    return (export, ExportVerifier(run: run).verify(export, rows: .checked))
  }
}
