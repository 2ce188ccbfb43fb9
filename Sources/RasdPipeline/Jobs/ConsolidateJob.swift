import RasdContainer
import RasdCrypto
package import RasdMerge
package import RasdModel
import RasdReport
import RasdStore

/// Proves sources, merges what is proved into one store and writes down what it did.
package struct ConsolidateJob: Sendable {
  package struct Options: Sendable {
    package var org: String?
    package var replaces = false
    package var onConflict = ConflictPolicy.keepHigherRev
    package var takesDamaged = false
    package var takesHostAssets = false
    package var strictForms = false
    package var allowsPlaintext = false
    /// Whose data a device's database is.
    package var namespace: String?

    package init() {}
  }

  private let sources: [String]
  private let keys: KeyInputs
  private let place: StorePlace
  private let options: Options

  package init(sources: [String], keys: KeyInputs, store: StorePlace, options: Options) {
    self.sources = sources
    self.keys = keys
    place = store
    self.options = options
  }

  package func run(_ run: Run) throws(RasdError) -> Consolidation {
    var store = Store.exists(at: place.path) ? try place.open(.writing, run) : nil
    defer { store?.close() }
    // A person who makes a store is asked for its passphrase before the work, not after.
    let newKeys =
      store == nil ? try place.credentials(run, asking: .newStore(path: place.path)) : nil
    let found = try Preflight(
      run: run,
      keys: keys,
      plaintext: options.allowsPlaintext ? .allowed : .refused
    ).look(at: sources)
    var consolidation = Consolidation()
    guard !found.exports.isEmpty || !found.others.isEmpty else { return consolidation }
    if store == nil, let newKeys, run.rules.writing == .real {
      store = try place.create(org: options.org, credentials: newKeys, run)
    }
    if let org = options.org { try store?.claim(org: org) }
    guard let store else { return consolidation }

    let merger = Merger(
      store: store,
      run: run,
      policy: policy(found.credentials),
      strictForms: options.strictForms
    )
    try merge(found.exports, with: merger, &consolidation)
    if !run.interrupt.requested {
      try Closing(store: store, run: run).report(into: &consolidation)
    }
    return consolidation
  }

  /// Merges exports in order, while those that follow are being proved.
  private func merge(
    _ exports: [OpenedExport],
    with merger: Merger,
    _ consolidation: inout Consolidation
  ) throws(RasdError) {
    let run = merger.run
    let (store, ledger) = (merger.store, SourceSorter(merger.store))
    let admitted = try ledger.sort(exports, run)
    run.progress.begin(
      .merging,
      total: admitted.unproved.reduce(0) { $0 + $1.bytes },
      mergeWeight: 4
    )
    for export in admitted.begun { try merge(export, nil, with: merger, &consolidation) }
    try ExportVerifier(run: run).verifyAll(admitted.unproved, rows: .passedOver) {
      (export, proof) throws(RasdError) in
      // The same export may stand twice among the sources.
      if let record = store.source(export.key), record.state == .done {
        try merger.recognise(export, record)
        consolidation.add(export, TableTally(record.tally).asHeld)
      } else if let verification = try proof.admit(export, run) {
        try merge(export, verification, with: merger, &consolidation)
      }
    }
    for (export, record) in admitted.known {
      try merger.recognise(export, record)
      consolidation.add(export, TableTally(record.tally).asHeld)
    }
  }

  /// Merges one; what is wrong with it alone does not stop the others.
  private func merge(
    _ export: OpenedExport,
    _ verification: Verification?,
    with merger: Merger,
    _ consolidation: inout Consolidation
  ) throws(RasdError) {
    guard !merger.run.interrupt.requested else { return }
    do throws(RasdError) {
      let tables = try merger.merge(export, verification)
      consolidation.add(export, tables)
    } catch  where error.reason == .interrupted {
    } catch  where error.isOfSource {
      try merger.run.refuse(export.path, error)
    }
  }

  private func policy(_ credentials: Credentials) -> IntakePolicy {
    IntakePolicy(
      onConflict: options.onConflict,
      takesHostAssets: options.takesHostAssets,
      replaces: options.replaces,
      refusesNamespace: { credentials.binds($0.text) }
    )
  }
}

/// Exports by what is to be done with them.
struct SourceSorter {
  private let store: Store

  init(_ store: Store) { self.store = store }

  struct Sorted {
    /// Never seen: to be proved, then merged.
    var unproved: [OpenedExport] = []
    /// Proved by an earlier run that did not finish.
    var begun: [OpenedExport] = []
    var known: [(OpenedExport, SourceRecord)] = []
  }

  /// Refuses what can't be merged whatever it holds.
  func sort(_ exports: [OpenedExport], _ run: Run) throws(RasdError) -> Sorted {
    var sorted = Sorted()
    for export in exports {
      do throws(RasdError) {
        try export.requireKnownStorage()
        if let org = store.org, export.namespace.org != org {
          throw RasdError(
            .unavailable,
            .foreignNamespace,
            ["namespace": .text(export.namespace.text), "org": .text(org)]
          )
        }
      } catch {
        try run.refuse(export.path, error)
        continue
      }
      switch store.source(export.key) {
      case let record? where record.state == .merging && record.cursor.entry > 0:
        sorted.begun.append(export)
      case let record? where record.state != .merging: sorted.known.append((export, record))
      default: sorted.unproved.append(export)
      }
    }
    return sorted
  }
}

extension RasdError {
  /// Whether it is about the source and not about the store or the machine.
  fileprivate var isOfSource: Bool {
    switch reason {
    case .foreignNamespace, .cannotReplace, .sourceChanged: true
    default: code == .corrupt && reason != .storeDamaged || code == .integrity
    }
  }
}
