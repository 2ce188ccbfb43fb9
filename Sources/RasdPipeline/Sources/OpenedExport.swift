import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// An export whose manifest is read and whose key is found: what a run keeps of each of its
/// sources, however many there are.
struct OpenedExport: Sendable {
  /// Where its bytes are.
  enum Place: Sendable {
    case file(String)
    /// Out of a stream, for as long as this is kept.
    case spool(ByteSource)

    func source() throws(RasdError) -> ByteSource {
      switch self {
      case .file(let path): try ByteSource(path: path)
      case .spool(let source): source
      }
    }
  }

  let path: String
  let place: Place
  let bytes: Int
  let identity: SourceIdentity
  let exportID: ExportID
  let manifestDigest: SHA256Digest
  let namespace: Namespace
  let exportedAt: String
  let suite: Suite
  let tables: [TableName]
  /// What it says of itself where that could be read; verifying says why it could not.
  let meta: Meta?
  let end: EndRecord?
  private let storageVersion: Int64
  private let unlocked: Credentials.Unlocked?
  private let slot: KeySlot?
  /// SHA-256 of the evidence that it was made of in this run, which is what it is known by.
  private let evidence: SHA256Digest?
  /// What tells its file from every other; nil for what came as a stream.
  private let mark: String?

  /// The private facts that a run needs.
  struct Meta: Sendable {
    let origin: String?
    let sequence: Int64?
    let isFiltered: Bool
  }

  /// Reads the manifest, finds the key and reads meta and end, where they can be read.
  init(
    _ place: Place,
    path: String,
    credentials: Credentials,
    plaintext: PlaintextPolicy,
    evidence: SHA256Digest? = nil
  ) throws(RasdError) {
    // Before it is read: a file that changes meanwhile is another one.
    if case .file(let file) = place { mark = PathFacts.mark(file) } else { mark = nil }
    let file = try ExportFile(place.source())
    let manifest = file.manifest
    let reader: ExportReader
    do throws(RasdError) {
      reader = try file.unlock(credentials, plaintext: plaintext)
    } catch  where credentials.isEmpty && error.code == .keyUnavailable {
      throw RasdError(.keyUnavailable, .noKeyGiven)
    }
    if credentials.binds(manifest.namespace.text), reader.unlocked?.candidate.isBound != true {
      throw RasdError(
        .unavailable,
        .unboundNamespace,
        ["namespace": .text(manifest.namespace.text)]
      )
    }
    self.path = path
    self.place = place
    bytes = file.source.size
    exportID = manifest.exportID
    manifestDigest = manifest.digest
    namespace = manifest.namespace
    exportedAt = manifest.exportedAt
    suite = manifest.suite
    tables = manifest.tables
    storageVersion = manifest.storageVersion
    unlocked = reader.unlocked
    slot = reader.unlocked.map { manifest.slots[$0.slot] }
    self.evidence = evidence
    identity =
      if let evidence { SourceIdentity(file: evidence, namespace: namespace.text) } else {
        SourceIdentity(
          exportId: exportID.text,
          manifest: manifestDigest,
          namespace: namespace.text
        )
      }
    meta = (try? reader.meta()).map {
      Meta(origin: $0.origin, sequence: $0.exportSeq, isFiltered: $0.scope != nil)
    }
    end = try? reader.endRecord()
  }

  /// Whether an earlier run proved this very file, or the evidence that it was made of, whole.
  func isProved(as source: Int, in store: Store) throws(RasdError) -> Bool {
    if evidence != nil { return true }
    guard let mark else { return false }
    return try store.isProved(source, in: mark)
  }

  /// Spares the next run to prove it again.
  func note(provedAs source: Int, in store: Store) throws(RasdError) {
    if let mark { try store.note(proved: source, in: mark) }
  }

  /// What tells it from every other source.
  var sourceDigest: SHA256Digest { evidence ?? manifestDigest }

  /// Opens it anew, for one who works on it.
  func reader() throws(RasdError) -> ExportReader {
    let file = try ExportFile(place.source())
    guard file.manifest.digest == manifestDigest else {
      throw RasdError(.unavailable, .sourceChanged)
    }
    return ExportReader(file, unlocked: unlocked)
  }

  /// Refuses rows that a newer version of the format wrote: they verify, but what they mean
  /// may have changed.
  func requireKnownStorage() throws(RasdError) {
    guard storageVersion > Manifest.storageVersion else { return }
    throw RasdError(
      .downgrade,
      .unsupportedVersion,
      ["member": "storageVersion", "value": .text(String(storageVersion))]
    )
  }

  /// Bytes of what it holds, rows decoded and blobs; a claim, as large as it likes.
  var decodedBytes: Double {
    guard let end else { return Double(bytes) }
    return end.tables.reduce(Double(end.blobs.bytes)) { $0 + Double($1.bytes) }
  }

  /// Hides what a report may not show with a key that only who can open the export has; one
  /// that is not sealed has no such key, and its id stands for it.
  func shade(_ rules: RunRules) -> KeyShade {
    guard rules.values == .hidden else { return .values }
    let key =
      unlocked?.contentKey.derive("rasdkit/1 reports", for: exportID)
      ?? Secret(copying: exportID.bytes.span)
    return .hashed { text in
      Hex.encode(Array(HMAC.tag(.sha256, key: key.bytes, Array(text.utf8).span).prefix(8)))
    }
  }

  var opened: SourceOpened {
    SourceOpened(
      path: path,
      bytes: bytes,
      kind: .export,
      identity: identity,
      exportedAt: exportedAt,
      suite: suite.rawValue,
      slot: slot?.kind?.rawValue,
      kid: slot?.kid
    )
  }
}

extension KeySlot {
  /// The id of the key that a slot is for; a passphrase has none.
  fileprivate var kid: String? {
    switch self {
    case .key(let slot): slot.kid
    case .hpke(let slot): slot.kid
    case .passphrase, .unknown: nil
    }
  }
}
