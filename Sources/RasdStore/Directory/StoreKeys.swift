internal import RasdCrypto

/// The keys that a store's one key is stretched into, one a purpose (RFC 5869).
struct StoreKeys: Sendable {
  /// The raw key of the database.
  let database: Secret
  /// Seals blobs.
  let blobs: Secret
  /// Names blobs.
  let blobNames: Secret
  /// Stands for private keys in reports.
  let reports: Secret

  init(storeKey: Secret) {
    func key(_ purpose: String) -> Secret {
      HKDF.expand(
        .sha512, key: storeKey.bytes, info: Array("rasdkit/1 store \(purpose)".utf8).span, count: 32)
    }
    database = key("database")
    blobs = key("blobs")
    blobNames = key("blob-names")
    reports = key("reports")
  }
}
