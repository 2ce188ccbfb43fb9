import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// What became of the attachments that a shelf's rows name.
struct SalvagedAttachments: SalvagedBlobs {
  struct Held {
    let id: String
    let mime: String?
    let file: AttachmentFiles.File
    let sha256: SHA256Digest
  }

  private(set) var held: [Held] = []

  var count: Int { held.count }

  /// Matches each attachment's row to a file and says what is news: a file that is not what its
  /// row says, one that is not there, one that no row names.
  init(
    _ shelf: SalvageShelf,
    _ files: AttachmentFiles,
    _ identity: SourceIdentity,
    _ run: Run
  ) throws(RasdError) {
    var reader = RowReader(sha256: SHA256.digest)
    try shelf.forEach(of: .attachments) { (entry) throws(RasdError) in
      guard
        case .attachment(let facts)? =
          (try? reader.read(line: entry.text.span, table: .attachments, namespace: .unnamed))?.facts,
        !facts.isHostAsset
      else { return }
      try run.interrupt.check()
      var event = BlobEvent(
        id: facts.id,
        sha256: facts.claim.sha256,
        bytes: Int(clamping: facts.claim.bytes ?? 0),
        outcome: .held,
        provenance: Provenance(identity: identity)
      )
      switch files.match(facts, localPath: entry.localPath) {
      case .held(let file, let sha256):
        let mime = Self.mime(entry.text)
        held.append(Held(id: facts.id, mime: mime, file: file, sha256: sha256))
        if run.rules.rows == .all { try run.emit(event) }
      case .altered(let file, let sha256):
        (event.outcome, event.sha256, event.bytes) = (.quarantined, sha256, file.size)
        event.error = RasdError(.integrity, .blobHashMismatch)
        try run.emit(event)
        try find(.error, .blobHashMismatch, .integrity, facts.id, file.path, run)
      case .absent where facts.status == .uploaded:
        event.outcome = .purged
        try run.emit(event)
      case .absent:
        event.outcome = .missing
        try run.emit(event)
        // A deleted row's file was deleted with it.
        if entry.kind.mayEnter {
          try find(.error, .bytesMissing, .integrity, facts.id, nil, run)
        }
      }
    }
    for file in files.unnamed {
      let reason: Reason = file.name.contains("/") ? .blobWithoutRow : .ignoredFile
      try find(reason == .ignoredFile ? .notice : .warning, reason, nil, nil, file.path, run)
    }
  }

  func write(to writer: ExportWriter) throws(RasdError) {
    for held in held {
      guard let id = BlobID(held.id) else { continue }
      try writer.beginBlob(id, mime: held.mime)
      try held.file.read { (bytes) throws(RasdError) in try writer.append(bytes) }
      try writer.endBlob()
    }
  }

  private func find(
    _ severity: Severity,
    _ reason: Reason,
    _ code: StorageCode?,
    _ id: String?,
    _ path: String?,
    _ run: Run
  ) throws(RasdError) {
    var subject: [String: RasdError.Detail] = [:]
    subject["id"] = id.map { .text($0) }
    subject["path"] = path.map { .text($0) }
    try run.find(FindingEvent(severity, reason, code: code, subject: subject))
  }

  private static func mime(_ row: [UInt8]) -> String? {
    (try? JSONValue.parse(row.span))?["mime"]?.string
  }
}
