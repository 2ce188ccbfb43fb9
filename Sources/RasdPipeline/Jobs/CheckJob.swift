package import RasdModel
import RasdReport
package import RasdStore

/// Proves every page, row and blob of a store again.
package struct CheckJob: Sendable {
  private let place: StorePlace

  package init(store: StorePlace) { place = store }

  package func run(_ run: Run) throws(RasdError) -> StoreCheckReceipt {
    let store = try place.open(.reading, run)
    defer { store.close() }
    run.progress.begin(.checking, total: 0)
    let receipt = try store.check { (fault) throws(RasdError) in
      if let blob = fault.blob { return try run.find(lost: blob.sha256, of: store, blob.error) }
      try run.find(
        FindingEvent(
          .error,
          .storeDamaged,
          code: .corrupt,
          subject: ["path": .text(place.path), "kind": .text(fault.kind.rawValue)],
          details: fault.details
        )
      )
    }
    if receipt.faults > 0 { run.end(with: .storeDamaged) }
    return receipt
  }
}
