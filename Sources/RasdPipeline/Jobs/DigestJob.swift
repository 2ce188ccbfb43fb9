package import RasdModel
import RasdStore

/// Names a store's content by one value.
package struct DigestJob: Sendable {
  private let place: StorePlace

  package init(store: StorePlace) { place = store }

  package func run(_ run: Run) throws(RasdError) -> SHA256Digest {
    let store = try place.open(.reading, run)
    defer { store.close() }
    let digest = try store.digest()
    run.storeDigest = digest
    return digest
  }
}
