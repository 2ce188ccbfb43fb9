import RasdContainer
import RasdCrypto
package import RasdModel
import RasdReport

/// Gets what opens out of a damaged export into a folder: every row that is there, graded, every
/// photo with its holes told, and a finding for each stretch that is missing.
package struct RescueJob: Sendable {
  private let path: String
  private let keys: KeyInputs
  private let target: String
  private let plaintext: PlaintextPolicy
  private let overwriting: Overwriting

  package init(
    path: String,
    keys: KeyInputs,
    to target: String,
    allowPlaintext: Bool,
    overwriting: Overwriting
  ) {
    self.path = path
    self.keys = keys
    self.target = target
    plaintext = allowPlaintext ? .allowed : .refused
    self.overwriting = overwriting
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
  }

  package func run(_ run: Run) throws(RasdError) -> Rescued {
    run.progress.begin(.opening, total: 0)
    let credentials = try keys.load(run)
    let export = try DamagedExport(path: path)
    let identity = SourceIdentity(
      exportId: export.manifest.exportID.text,
      manifest: export.manifest.digest,
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
    var folder = try RescueFolder(target, overwriting, export.manifest.namespace, run)
    let account = try export.rescue(credentials, plaintext: plaintext, into: &folder)
    let blobs = try folder.finish()
    run.bytes += export.source.size
    return try report(account, folder, blobs, export, run)
  }

  private func report(
    _ account: RescueAccount,
    _ folder: RescueFolder,
    _ blobs: [BlobID: SHA256Digest],
    _ export: DamagedExport,
    _ run: Run
  ) throws(RasdError) -> Rescued {
    var rescued = Rescued(path: target)
    (rescued.grades, rescued.unreadable) = (folder.grades, folder.unreadable)
    for (table, stream) in account.tables.sorted(by: { $0.key < $1.key }) {
      rescued.rows.append((table.text, stream.count, stream.gaps))
      try miss(stream.gaps, ["table": .text(table.text)], run)
    }
    let inventory = Dictionary(account.inventory.map { ($0.id, $0) }) { first, _ in first }
    let ids = Set(account.blobs.keys).union(inventory.keys).sorted { $0.text < $1.text }
    for id in ids {
      let stream = account.blobs[id]
      let gaps = stream?.gaps ?? [0..<(inventory[id]?.bytes ?? Int.max)]
      let isWhole = gaps.isEmpty && inventory[id].map { $0.sha256 == blobs[id] } ?? true
      if stream != nil { rescued.blobs += 1 }
      if isWhole { rescued.wholeBlobs += 1 } else { try miss(gaps, ["id": .text(id.text)], run) }
    }
    if !export.manifestIsWhole { try miss([], ["entry": "manifest.json"], run) }
    // Without its end record nobody knows what else the export held.
    if account.end == nil { try miss([], ["entry": "end.json"], run) }
    for entry in account.lost { try miss([], ["entry": .text(entry.text)], run) }
    if folder.unreadable > 0 {
      try run.find(
        FindingEvent(
          .warning,
          .rowInvalid,
          code: .integrity,
          subject: ["path": .text(path)],
          details: ["count": .number(Int64(folder.unreadable))]
        )
      )
    }
    let isWhole =
      rescued.rows.allSatisfy { $0.missing.isEmpty } && rescued.wholeBlobs == ids.count
      && folder.unreadable == 0 && export.manifestIsWhole && account.end != nil
      && account.lost.isEmpty && account.inPart.isEmpty
      && !folder.grades.keys.contains { $0 < .plausible }
    run.recovered(incomplete: !isWhole)
    if rescued.rows.allSatisfy({ $0.had == 0 }) && rescued.blobs == 0 { run.end(with: .nothing) }
    return rescued
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
        details: ["missing": .list(words)]
      )
    )
  }
}
