internal import RasdModel

/// A row's key as the store looks it up.
struct StoredKey: Hashable {
  let table: Int64
  let hash: Int64
  let key: RowKey
}

/// One spelling of one observation, as it is stored.
struct StoredVariant {
  let id: Int64
  let hash: SHA256Digest
  /// Nil where the text is the canonical form.
  let textHash: SHA256Digest?
  var seen: Seen
  let facts: RowFacts
  let notices: RowNotices
  /// Those of active sources.
  var deliveries: Set<StoredDelivery> = []

  var isActive: Bool { !deliveries.isEmpty }
}

/// Whether a reader sees a row.
enum Seen: Int64 {
  case no = 0
  case yes = 1
  /// It is seen, and the key is in conflict.
  case contested = 2
}

struct StoredDelivery: Hashable {
  let source: Int
  let namespace: Int
}
