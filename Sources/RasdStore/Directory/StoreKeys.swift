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

  init(_ key: ContentKey, of store: ExportID) {
    database = key.derive("rasdkit/1 store database", for: store)
    blobs = key.derive("rasdkit/1 store blobs", for: store)
    blobNames = key.derive("rasdkit/1 store blob-names", for: store)
    reports = key.derive("rasdkit/1 store reports", for: store)
  }
}
