import RasdContainer
import RasdCrypto
package import RasdModel
import RasdReport
import RasdSalvage
import RasdStore

/// Gets what opens out of a damaged export: every row that is there, graded, every photo, and a
/// finding for each stretch that is missing.
package struct RescueJob: Sendable {
  private let path: String
  private let keys: KeyInputs
  private let target: SalvageJob.Target
  private let plaintext: PlaintextPolicy
  private let options: SalvageJob.Options

  package init(
    path: String,
    keys: KeyInputs,
    to target: SalvageJob.Target,
    allowPlaintext: Bool,
    options: SalvageJob.Options
  ) {
    self.path = path
    self.keys = keys
    self.target = target
    plaintext = allowPlaintext ? .allowed : .refused
    self.options = options
  }

  /// Whether `path` is an export, whole or not, and no database.
  package static func isFor(_ path: String) -> Bool {
    guard let kind = try? FileKind.of(path: path) else { return false }
    return kind == .export || (kind == .unknown && (try? DamagedExport(path: path)) != nil)
  }

  /// What was got, and what is known to be missing.
  package struct Rescued: Sendable {
    package let path: String
    package var rows: [(table: String, had: Int, missing: [Range<Int>])] = []
    package var grades: [Grade: Int] = [:]
    package var unreadable = 0
    package var blobs = 0
    package var wholeBlobs = 0
    /// What entered an export or a store.
    package var written: Salvaged.Written?
    /// Whether anything was put at `path`.
    package var isWritten = false
    /// Whether nothing that the export held is known to be missing.
    fileprivate(set) var isWhole = false

    var isEmpty: Bool { rows.allSatisfy { $0.had == 0 } && blobs == 0 }
  }

  /// What a rescue's taker counted.
  private struct Tally {
    let grades: [TableName: [Grade: Int]]
    let unreadable: Int
    let digests: [BlobID: SHA256Digest]
  }

  package func run(_ run: Run) throws(RasdError) -> Rescued {
    run.progress.begin(.opening, total: 0)
    let credentials = try keys.load(run)
    var rescued = try read(run) { (export, seal) throws(RasdError) -> Rescued in
      if let sealed = try SealedTarget(target, options, run) {
        let admission = Admission(including: options.including)
        var shelved = try shelve(export, credentials, seal, admission, run)
        shelved.rescued.written = try sealed.take(shelved.export, seal.sha256, at: path)
        return shelved.rescued
      }
      let namespace = export.manifest.namespace
      var folder = try RescueFolder(target.path, options.overwriting, namespace, run)
      let account = try export.rescue(credentials, plaintext: plaintext, into: &folder)
      let digests = try folder.finish()
      let tally = Tally(grades: folder.grades, unreadable: folder.unreadable, digests: digests)
      return try report(account, tally, export, run)
    }
    run.recovered(incomplete: !rescued.isWhole)
    if rescued.isEmpty { run.end(with: .nothing) }
    let hasEntered = rescued.written.map { $0.rows > 0 } ?? true
    if !hasEntered { run.leaveOut() }
    rescued.isWritten = hasEntered && run.rules.writing == .real
    return rescued
  }

  /// What may enter an export or a store, and what was got in all.
  struct Shelved {
    let export: SalvageExport
    /// SHA-256 of the file.
    let source: SHA256Digest
    var rescued: Rescued
  }

  /// Gets out what may enter elsewhere, and writes nothing.
  func shelve(
    _ credentials: Credentials,
    _ admission: Admission,
    _ run: Run
  ) throws(RasdError) -> Shelved {
    try read(run) { (export, seal) throws(RasdError) in
      try shelve(export, credentials, seal, admission, run)
    }
  }

  /// Opens the file, and says whether it changed while it was read.
  private func read<Got>(
    _ run: Run,
    _ body: (DamagedExport, EvidenceSeal) throws(RasdError) -> Got
  ) throws(RasdError) -> Got {
    let file = try EvidenceFile(path: path)
    let seal = try file.seal()
    let export = try DamagedExport(path: path)
    let identity = SourceIdentity(
      exportId: export.manifest.exportID.text,
      manifest: export.manifest.digest,
      file: seal.sha256,
      namespace: export.manifest.namespace.text
    )
    try run.emit(
      SourceOpened(
        path: path,
        bytes: export.source.size,
        kind: .export,
        identity: identity,
        exportedAt: export.manifest.exportedAt,
        suite: export.manifest.suite.rawValue,
        slot: nil,
        kid: nil
      )
    )
    run.progress.begin(.recovering, total: export.source.size)
    let got = try body(export, seal)
    run.bytes += export.source.size
    if try file.seal() != seal {
      try run.find(
        FindingEvent(.error, .sourceChanged, code: .integrity, subject: ["path": .text(path)])
      )
    }
    return got
  }

  private func shelve(
    _ export: DamagedExport,
    _ credentials: Credentials,
    _ seal: EvidenceSeal,
    _ admission: Admission,
    _ run: Run
  ) throws(RasdError) -> Shelved {
    let manifest = export.manifest
    guard let namespace = options.namespace ?? (manifest.isNamed ? manifest.namespace : nil) else {
      throw RasdError(.unavailable, .namespaceRequired, ["path": .text(path)])
    }
    var taker = RescueShelf(admission, namespace, seal.sha256, run)
    let account = try export.rescue(credentials, plaintext: plaintext, into: &taker)
    taker.endBlob()
    guard !credentials.binds(namespace.text) || account.isBound else {
      throw RasdError(.unavailable, .unboundNamespace, ["namespace": .text(namespace.text)])
    }
    // A store's export is read another way: by its observations, each with its own namespaces.
    guard account.meta?.origin != "store", account.tables[ObservationLine.table] == nil else {
      throw RasdError(.unavailable, .storeExport, ["path": .text(path)])
    }
    let tally = Tally(
      grades: taker.grades,
      unreadable: taker.unreadable,
      digests: taker.digests
    )
    let rescued = try report(account, tally, export, run)
    let hosts = account.tables.keys.filter { !TableName.rasd.contains($0) }.sorted()
    let salvaged = SalvageExport(
      shelf: taker.shelf,
      tables: TableName.rasd + hosts.filter { $0 != SalvageGrade.table },
      blobs: RescuedBlobs(
        export: export,
        credentials: credentials,
        plaintext: plaintext,
        wanted: try wanted(taker.digests, account, taker.shelf, run),
        mimes: account.inventory.mimes
      ),
      namespace: namespace,
      exportedAt: Instant(manifest.exportedAt) == nil
        ? Instant(milliseconds: seal.modified / 1_000_000).text : manifest.exportedAt,
      origin: "salvage"
    )
    return Shelved(export: salvaged, source: seal.sha256, rescued: rescued)
  }

  /// The blobs that are there from their first byte to their last, less those that are not what
  /// their row says.
  private func wanted(
    _ digests: [BlobID: SHA256Digest],
    _ account: RescueAccount,
    _ shelf: SalvageShelf,
    _ run: Run
  ) throws(RasdError) -> [BlobID: SHA256Digest] {
    let inventory = Dictionary(account.inventory.map { ($0.id, $0) }) { first, _ in first }
    var wanted = digests.filter { id, digest in
      account.blobs[id]?.isWhole == true && inventory[id].map { $0.sha256 == digest } ?? true
    }
    var reader = RowReader(sha256: SHA256.digest)
    try shelf.forEach(of: .attachments) { (entry) throws(RasdError) in
      let row = try? reader.read(line: entry.text.span, table: .attachments, namespace: .unnamed)
      guard case .attachment(let facts)? = row?.facts, let id = BlobID(facts.id),
        let digest = wanted[id], let bytes = account.blobs[id]?.count,
        !facts.claim.fits(bytes: Int64(bytes), sha256: digest)
      else { return }
      wanted[id] = nil
      try run.find(
        FindingEvent(
          .error,
          .blobHashMismatch,
          code: .integrity,
          subject: ["path": .text(path), "id": .text(id.text)]
        )
      )
    }
    return wanted
  }

  private func report(
    _ account: RescueAccount,
    _ tally: Tally,
    _ export: DamagedExport,
    _ run: Run
  ) throws(RasdError) -> Rescued {
    var rescued = Rescued(path: target.path)
    rescued.unreadable = tally.unreadable
    for counts in tally.grades.values { rescued.grades.merge(counts, uniquingKeysWith: +) }
    for (table, stream) in account.tables.sorted(by: { $0.key < $1.key }) {
      rescued.rows.append((table.text, stream.count, stream.gaps))
      try miss(stream.gaps, ["table": .text(table.text)], run)
    }
    let inventory = Dictionary(account.inventory.map { ($0.id, $0) }) { first, _ in first }
    let ids = Set(account.blobs.keys).union(inventory.keys).sorted { $0.text < $1.text }
    for id in ids {
      let stream = account.blobs[id]
      let gaps = stream?.gaps ?? [0..<(inventory[id]?.bytes ?? Int.max)]
      let isWhole = gaps.isEmpty && inventory[id].map { $0.sha256 == tally.digests[id] } ?? true
      if stream != nil { rescued.blobs += 1 }
      if isWhole { rescued.wholeBlobs += 1 } else { try miss(gaps, ["id": .text(id.text)], run) }
    }
    if !export.manifestIsWhole { try miss([], ["entry": "manifest.json"], run) }
    // Without its end record nobody knows what else the export held.
    if account.end == nil { try miss([], ["entry": "end.json"], run) }
    for entry in account.lost { try miss([], ["entry": .text(entry.text)], run) }
    if tally.unreadable > 0 {
      try run.find(
        FindingEvent(
          .warning,
          .rowInvalid,
          code: .integrity,
          subject: ["path": .text(path)],
          details: ["count": .number(Int64(tally.unreadable))]
        )
      )
    }
    rescued.isWhole =
      rescued.rows.allSatisfy { $0.missing.isEmpty } && rescued.wholeBlobs == ids.count
      && tally.unreadable == 0 && export.manifestIsWhole && account.end != nil
      && account.lost.isEmpty && account.inPart.isEmpty
      && !rescued.grades.keys.contains { $0 < .plausible }
    try run.emit(ledger(account, tally))
    return rescued
  }

  /// Each entry and each line in exactly one number.
  private func ledger(_ account: RescueAccount, _ tally: Tally) -> SalvageLedgerEvent {
    let delivered = tally.grades.values.reduce(0) { $0 + $1.values.reduce(0, +) }
    return SalvageLedgerEvent(
      path: path,
      pages: [
        "whole": account.whole, "inPart": account.inPart.count, "lost": account.lost.count,
      ],
      rows: tally.grades.sorted { $0.key < $1.key }.map { table, counts in
        let lines = counts.map { ("live.\($0.key.rawValue)", $0.value) }
        return (table.text, Dictionary(uniqueKeysWithValues: lines))
      },
      candidates: delivered + tally.unreadable,
      delivered: delivered,
      others: [
        "leftovers": 0, "duplicates": 0, "schemaRows": 0, "undecodable": tally.unreadable,
        "implausible": 0,
      ]
    )
  }

  /// Says which rows of a table, or bytes of a blob, are not there.
  private func miss(
    _ gaps: [Range<Int>],
    _ what: [String: RasdError.Detail],
    _ run: Run
  ) throws(RasdError) {
    guard !gaps.isEmpty || what["table"] == nil else { return }
    let words = gaps.map { gap in
      gap.upperBound == .max
        ? "\(gap.lowerBound) to the end" : "\(gap.lowerBound)-\(gap.upperBound - 1)"
    }
    try run.find(
      FindingEvent(
        .warning,
        .entryDamaged,
        code: .corrupt,
        subject: ["path": .text(path)].merging(what) { $1 },
        details: words.isEmpty ? [:] : ["missing": .list(words)]
      )
    )
  }
}

extension Manifest {
  /// Whether whose data it is was still to be read.
  fileprivate var isNamed: Bool { namespace != .unnamed }
}
