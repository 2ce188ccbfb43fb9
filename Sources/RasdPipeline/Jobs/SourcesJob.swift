import RasdCrypto
package import RasdModel
import RasdReport
package import RasdStore

/// What a store was made of, and taking a source out of it again.
package struct SourcesJob: Sendable {
  package enum Action: String, Sendable, CaseIterable { case list, exclude, include, purge }

  private let place: StorePlace
  private let action: Action
  private let ids: [String]

  package init(store: StorePlace, action: Action, ids: [String]) {
    place = store
    self.action = action
    self.ids = ids
  }

  package struct Result: Sendable {
    package let action: Action
    /// All sources of the store or, of an action, those that it was done to.
    package let sources: [SourceRecord]
    package let purged: PurgeReceipt?
    package let digest: SHA256Digest?
  }

  package func run(_ run: Run) throws(RasdError) -> Result {
    let store = try place.open(action == .list ? .reading : .writing, run)
    defer { store.close() }
    guard action != .list else {
      return Result(action: action, sources: store.sources, purged: nil, digest: nil)
    }
    let selected = try select(in: store)
    let numbers = selected.map(\.number)
    var purged: PurgeReceipt?
    if run.rules.writing == .real {
      switch action {
      case .exclude: for number in numbers { try store.retract(number, true) }
      case .include: for number in numbers { try store.retract(number, false) }
      case .purge: purged = try store.purge()
      case .list: break
      }
    }
    if action == .include { try say(selected.filter { $0.state == .purged }, store, run) }
    run.storeDigest = try store.digest()
    return Result(
      action: action,
      sources: numbers.compactMap { store.source(number: $0) },
      purged: purged,
      digest: run.storeDigest
    )
  }

  /// Says of which nothing is left that could be seen again.
  private func say(
    _ purged: [SourceRecord],
    _ store: Store,
    _ run: Run
  ) throws(RasdError) {
    for source in purged {
      try run.find(
        FindingEvent(
          .error,
          .sourcePurged,
          subject: [
            "path": .text(source.description.label),
            "exports": .list([source.description.key.exportId]),
          ]
        )
      )
    }
  }

  /// The sources that the ids given name, each by its whole id or the beginning of one.
  private func select(in store: Store) throws(RasdError) -> [SourceRecord] {
    if action == .purge, ids.isEmpty { return store.sources.filter(\.isRetracted) }
    var found: [SourceRecord] = []
    for id in ids {
      let matching = store.sources.filter { $0.description.key.exportId.hasPrefix(id) }
      guard let first = matching.first,
        matching.allSatisfy({ $0.description.key.exportId == first.description.key.exportId })
      else {
        var details: [String: RasdError.Detail] = ["source": .text(id)]
        if !matching.isEmpty {
          details["candidates"] = .list(matching.map(\.description.key.exportId))
        }
        throw RasdError(.unavailable, .sourceUnknown, details)
      }
      found += matching
    }
    return found
  }
}
