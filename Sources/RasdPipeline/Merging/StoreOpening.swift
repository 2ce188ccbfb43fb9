import Glibc
import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// Where a store is, and where the keys that open it come from.
package struct StorePlace: Sendable {
  package let path: String
  package let keys: KeyInputs

  package init(path: String, keys: KeyInputs) {
    self.path = path
    self.keys = keys
  }

  /// Opens the store that stands there.
  func open(_ access: Store.Access, _ run: Run) throws(RasdError) -> Store {
    let store = try openForSlots(access, run)
    introduce(store, to: run)
    return store
  }

  /// The same for who changes its slots, and says of them what there is to say when that is done.
  func openForSlots(_ access: Store.Access, _ run: Run) throws(RasdError) -> Store {
    guard Store.exists(at: path) else {
      // What one may not look into is not said to be empty.
      if PathFacts.exists(path), unsafe Glibc.access(path, X_OK) != 0 {
        throw .system(errno, path: path)
      }
      throw RasdError(.notOpen, .storeMissing, ["path": .text(path)])
    }
    return try opened(access, credentials(run))
  }

  func open(
    _ access: Store.Access,
    _ credentials: Credentials,
    _ run: Run
  ) throws(RasdError) -> Store {
    let store = try opened(access, credentials)
    introduce(store, to: run)
    return store
  }

  private func opened(
    _ access: Store.Access,
    _ credentials: Credentials
  ) throws(RasdError) -> Store {
    do throws(RasdError) {
      return try Store.open(at: path, credentials: credentials, access: access)
    } catch {
      throw named(error)
    }
  }

  /// The keys given or, where none was, a passphrase that a person types.
  func credentials(_ run: Run) throws(RasdError) -> Credentials {
    var credentials = try keys.loadAny(run)
    if keys.isEmpty {
      let question: KeyQuestion =
        Store.exists(at: path) ? .store(path: path) : .newStore(path: path)
      credentials.add(.passphrase(try run.ask(question)), source: "prompt")
    }
    return credentials
  }

  /// Makes a store that every one of `credentials` opens.
  func create(
    org: String?,
    credentials: Credentials,
    _ run: Run
  ) throws(RasdError) -> Store {
    do throws(RasdError) {
      try Outputs.makeParent(of: path)
      let keys = credentials.candidates(for: nil).map { ExportRecipient($0.key) }
      guard !keys.isEmpty else { throw RasdError(.keyUnavailable, .noKeyGiven) }
      let store = try Store.create(at: path, org: org) { (content, id) throws(RasdError) in
        var slots: [KeySlot] = []
        for key in keys { slots.append(try key.slot(of: content, id)) }
        return slots
      }
      introduce(store, to: run)
      return store
    } catch {
      throw named(error)
    }
  }

  /// Lets the run hide what it must with the store's own key, and warns of a single slot and of a
  /// folder that others can write in: who can, can have a store there that he opens too.
  private func introduce(_ store: Store, to run: Run) {
    adviseOfSlots(store, run)
    if PathFacts.isWritableByOthers(path) { run.advise(.storeExposed, path: path) }
    if run.rules.values == .hidden { run.shade = .hashed(store.hide) }
  }

  /// Warns where the loss of one key would lose the store.
  func adviseOfSlots(_ store: Store, _ run: Run) {
    if store.slots.count == 1, run.rules.writing == .real { run.advise(.singleSlot, path: path) }
  }

  private func named(_ error: RasdError) -> RasdError {
    var error = error
    if error.details["path"] == nil { error.details["path"] = .text(path) }
    return error
  }
}
