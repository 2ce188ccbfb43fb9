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
    package var namespace: Namespace?

    package init() {}
  }

  private let sources: [String]
  let keys: KeyInputs
  let place: StorePlace
  let options: Options

  package init(sources: [String], keys: KeyInputs, store: StorePlace, options: Options) {
    self.sources = sources
    self.keys = keys
    place = store
    self.options = options
  }

  package func run(_ run: Run) throws(RasdError) -> Consolidation {
    // A person who makes a store is asked for its passphrase before the work, not after.
    let storeKeys = try place.credentials(run)
    let opened = Store.exists(at: place.path) ? try place.open(.writing, storeKeys, run) : nil
    let found = try preflight(run).look(at: sources)
    var consolidation = Consolidation()
    guard !found.isEmpty else { return consolidation }
    let org = try organisation(of: found.exports, for: opened)
    guard run.rules.writing == .real else {
      return try rehearse(found, opened, org: org, storeKeys, run)
    }
    let store =
      if let opened { opened } else { try place.create(org: org, credentials: storeKeys, run) }
    defer { store.close() }
    if let org { try store.claim(org: org) }
    try merge(found, storeKeys, into: store, run, &consolidation)
    return consolidation
  }

  func preflight(_ run: Run) -> Preflight {
    Preflight(
      run: run,
      keys: keys,
      plaintext: options.allowsPlaintext ? .allowed : .refused,
      namespace: options.namespace,
      takesDamaged: options.takesDamaged
    )
  }

  /// Does all that a run does to the store, or to one that is made for it, and undoes it.
  private func rehearse(
    _ found: Preflight.Found,
    _ opened: Store?,
    org: String?,
    _ storeKeys: Credentials,
    _ run: Run
  ) throws(RasdError) -> Consolidation {
    var consolidation = Consolidation()
    if let opened {
      defer { opened.close() }
      try opened.rehearse { () throws(RasdError) in
        if let org { try opened.claim(org: org) }
        try merge(found, storeKeys, into: opened, run, &consolidation)
      }
    } else {
      let folder = try TemporaryFolder()
      let store = try StorePlace(path: "\(folder.path)/store", keys: place.keys)
        .create(org: org, credentials: storeKeys, run)
      defer { store.close() }
      try merge(found, storeKeys, into: store, run, &consolidation)
    }
    return consolidation
  }

  /// Whose data it is: as was said, as the store knows, or as all sources agree.
  private func organisation(
    of exports: [OpenedExport],
    for store: Store?
  ) throws(RasdError) -> String? {
    if let given = options.org ?? store?.org { return given }
    let named = Set(exports.map(\.namespace.org)).sorted()
    guard named.count <= 1 else {
      throw RasdError(.unavailable, .orgsDiffer, ["org": .list(named)])
    }
    return named.first
  }
}
