import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// Brings back blobs that the store has lost, out of sources that were merged before.
final class Restoring {
  /// How closely the store's copies of a source's blobs are looked at.
  enum Look {
    /// Whether each file is there, and of its size.
    case inPassing
    /// Each is read and proved: nothing else is to be done.
    case closely
  }

  private let store: Store
  private let run: Run
  private var lost: [SHA256Digest: RasdError]
  /// Blobs that were brought back.
  private(set) var restored = 0

  init(_ store: Store, _ run: Run) throws(RasdError) {
    self.store = store
    self.run = run
    lost = [:]
    for sha256 in try store.lostBlobs() {
      if case .failure(let error) = store.vault.proved(sha256) { lost[sha256] = error }
    }
  }

  /// Reads those of an export's blobs that are lost, and nothing else of it.
  func restore(from export: OpenedExport, _ look: Look) throws(RasdError) {
    guard look == .closely || !lost.isEmpty else { return }
    let reader = try export.reader()
    let inventory = try reader.inventory()
    if look == .closely { try prove(inventory) }
    var wanted: [BlobID: BlobRecord] = [:]
    var seen: Set<SHA256Digest> = []
    for record in inventory where lost[record.sha256] != nil && seen.insert(record.sha256).inserted
    {
      wanted[record.id] = record
    }
    guard !wanted.isEmpty else { return }
    guard run.rules.writing == .real else {
      for record in wanted.values { lost[record.sha256] = nil }
      return restored += wanted.count
    }
    var writer: BlobWriter?
    try reader.forEachPart(of: Set(wanted.keys)) { (part, bytes) throws(RasdError) in
      try run.interrupt.check()
      if part.isFirst { writer = try store.vault.writer() }
      try writer?.write(bytes)
      run.bytes += bytes.count
      guard part.isLast, let record = wanted[part.id], let all = writer.take(),
        let blob = try all.finish(as: record.sha256)
      else { return }
      try have(blob, id: part.id.text, export.identity)
    }
    try store.vault.sync()
  }

  /// Copies what is lost and another store has.
  func restore(from other: Store, path: String) throws(RasdError) {
    for sha256 in lost.keys.sorted() {
      try run.interrupt.check()
      guard case .success(let blob) = other.vault.proved(sha256) else { continue }
      guard run.rules.writing == .real else {
        lost[sha256] = nil
        restored += 1
        continue
      }
      let copy = try store.vault.copy(blob)
      try have(copy, id: "sha256:\(sha256.hex)", SourceIdentity(exportId: other.id.text))
    }
    try store.vault.sync()
  }

  /// Says what is lost still, whatever the run's sources brought.
  func report() throws(RasdError) {
    guard run.rules.writing == .real else { return }
    for (sha256, error) in lost.sorted(by: { $0.key < $1.key }) {
      guard case .failure = store.vault.proved(sha256), try store.isHeld(sha256) else { continue }
      try run.find(lost: sha256, of: store, error)
    }
  }

  /// Reads the store's copy of each blob on all cores.
  private func prove(_ inventory: [BlobRecord]) throws(RasdError) {
    var records: [BlobRecord] = []
    for record in inventory where try store.isHeld(record.sha256) { records.append(record) }
    let held = records
    let vault = store.vault
    try OrderedWork.run(
      0..<held.count,
      workers: run.rules.jobs,
      ahead: OrderedWork.Ahead(items: 2 * run.rules.jobs, weight: .max),
      weight: { _ in 1 },
      makeWorker: { { vault.proved(held[$0].sha256).failure } },
      consume: { (index, failure: RasdError?) throws(RasdError) in
        try run.interrupt.check()
        run.progress.advance(verified: held[index].bytes)
        if let failure { lost[held[index].sha256] = failure }
      }
    )
  }

  private func have(
    _ blob: SealedBlob,
    id: String,
    _ identity: SourceIdentity
  ) throws(RasdError) {
    lost[blob.sha256] = nil
    restored += 1
    try run.emit(BlobEvent(held: blob, id: id, identity))
  }
}

extension Result {
  /// What failed; nil for what did not.
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension Run {
  /// Says that a store has lost a blob, and which sources may bring it back.
  func find(
    lost sha256: SHA256Digest,
    of store: Store,
    _ error: RasdError
  ) throws(RasdError) {
    var details = error.details
    details["sha256"] = .text(sha256.hex)
    details["reason"] = .text(error.reason.rawValue)
    let sources = try store.sources(delivering: sha256).prefix(Self.mostSources)
    if !sources.isEmpty {
      details["exports"] = .list(sources.map(\.description.key.exportId))
      details["broughtBy"] = .list(sources.map(\.description.label))
    }
    details["path"] = nil
    try find(
      FindingEvent(
        .error,
        .storeDamaged,
        code: .corrupt,
        subject: ["path": .text(store.path), "kind": .text(StoreFault.Kind.blob.rawValue)],
        details: details
      )
    )
    end(with: .storeDamaged)
  }

  /// Any one of them has it; the latest are the likeliest to be at hand.
  private static var mostSources: Int { 3 }
}
