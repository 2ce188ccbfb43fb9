import Glibc
import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdSalvage

/// A device's own database as a source: a healthy one is sealed into a spool under a key of the
/// run, and from there on is an export like any other; one that is not is refused.
struct DeviceSource {
  let credentials: Credentials
  let namespace: Namespace
  let run: Run

  /// Whether a file that no mark tells may be an encrypted database.
  static func isPossible(_ path: String) -> Bool {
    guard let file = try? EvidenceFile(path: path) else { return false }
    return EvidenceKind.of(ByteStore(file), name: path) == .database
  }

  /// Reads a database whole.
  ///
  /// - Throws: `database-damaged` with `what`, `key-unavailable`, `not-a-database`.
  func open(_ path: String) throws(RasdError) -> OpenedExport {
    let evidence = try Evidence(path: path)
    guard let database = evidence.databases.first else {
      throw RasdError(.corrupt, .notADatabase)
    }
    let keys = SalvageJob.databaseKeys(credentials, namespace)
    let reading = try DeviceReading(database, keys: keys, .thrown)
    let seal = reading.seals.first
    let shelf = SalvageShelf(.everything, namespace, flawed: .kept)
    // Only these rows are of tables that an export has.
    let profiles = try Profiles.load(["rasd-native"])
    try reading.read(namespace, profiles: profiles, workers: run.rules.jobs) {
      (batch, tables) throws(RasdError) in
      try shelf.take(batch, of: tables, in: seal.sha256)
    }
    guard !shelf.isEmpty else { throw RasdError(.corrupt, .notAnExport) }
    let identity = SourceIdentity(file: seal.sha256, namespace: namespace.text)
    try run.emit(
      SourceOpened(
        path: path,
        bytes: Int(clamping: database.file.size),
        kind: .database,
        identity: identity,
        exportedAt: nil,
        suite: reading.pages.cipher.map(\.words),
        slot: nil,
        kid: nil
      )
    )
    let export = SalvageExport(
      shelf: shelf,
      tables: TableName.rasd,
      blobs: try SalvagedAttachments(
        shelf,
        AttachmentFiles(evidence, isFolder: false),
        identity,
        run
      ),
      namespace: namespace,
      exportedAt: Instant(milliseconds: seal.modified / 1_000_000).text,
      origin: "device"
    )
    let spool = try export.spool(as: path, source: seal.sha256).export
    guard try reading.seals.changed().isEmpty else { throw RasdError(.unavailable, .sourceChanged) }
    return spool
  }
}
