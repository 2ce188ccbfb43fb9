internal import RasdCrypto
internal import RasdMerge
package import RasdModel
internal import SQLCipherKit

/// Something in a store that is not as it was written.
package struct StoreFault: Hashable, Sendable {
  package enum Kind: String, Sendable {
    /// A page whose authentication fails, or what SQLite itself finds.
    case page
    /// A row whose text is not what its hash says, or that cannot be read.
    case row
    /// A row that is seen where the rules choose another.
    case choice
    /// A held blob whose bytes are missing, damaged or another's.
    case blob
  }

  package let kind: Kind
  package let details: [String: RasdError.Detail]
  /// Of a blob: which it is, and what is wrong with it.
  package var blob: LostBlob?

  package struct LostBlob: Hashable, Sendable {
    package let sha256: SHA256Digest
    package let error: RasdError
  }
}

/// What a check looked at.
package struct StoreCheckReceipt: Hashable, Sendable {
  package var rows = 0
  package var blobs = 0
  package var blobBytes = 0
  package var faults = 0
  /// Files of a run that was cut short and never gone on with: no fault, and no use.
  package var leftovers = 0
}

extension Store {
  /// Proves every page, row and blob of the store; each fault is given as it is found.
  package func check(
    _ body: (StoreFault) throws(RasdError) -> Void
  ) throws(RasdError) -> StoreCheckReceipt {
    var receipt = StoreCheckReceipt()
    func fault(
      _ kind: StoreFault.Kind,
      _ details: [String: RasdError.Detail]
    ) throws(RasdError) {
      receipt.faults += 1
      try body(StoreFault(kind: kind, details: details))
    }
    // A damaged page ends the reading it is met in, not the check.
    func stage(_ body: () throws(RasdError) -> Void) throws(RasdError) {
      do throws(RasdError) {
        try body()
      } catch  where error.reason == .storeDamaged {
        try fault(.page, error.details)
      }
    }
    var (rows, blobs, bytes) = (0, 0, 0)
    try stage { () throws(RasdError) in try checkPages(fault) }
    try stage { () throws(RasdError) in try checkRows(&rows, fault) }
    try stage { () throws(RasdError) in try checkChoices(fault) }
    try stage { () throws(RasdError) in
      try forEachHeldBlob { (blob) throws(RasdError) in
        blobs += 1
        bytes += blob.bytes
        guard let error = blobError(blob) else { return }
        receipt.faults += 1
        let lost = StoreFault.LostBlob(sha256: blob.sha256, error: error)
        try body(StoreFault(kind: .blob, details: error.details, blob: lost))
      }
    }
    // A table that can't be read was a fault above.
    receipt.leftovers = (try? leftovers()) ?? 0
    (receipt.rows, receipt.blobs, receipt.blobBytes) = (rows, blobs, bytes)
    return receipt
  }

  private typealias Report = (StoreFault.Kind, [String: RasdError.Detail]) throws(RasdError) -> Void

  private func checkPages(_ fault: Report) throws(RasdError) {
    for pragma in ["cipher_integrity_check", "integrity_check"] {
      let check = try connection.prepare("PRAGMA \(pragma)")
      while try check.step() {
        let message = check.text(0)
        if message != "ok" { try fault(.page, ["message": .text(message)]) }
      }
    }
  }

  private func checkRows(_ rows: inout Int, _ fault: Report) throws(RasdError) {
    var reader = RowReader(sha256: SHA256.digest)
    let select = try connection.prepare(
      "SELECT oid, khash, tid, key, hash, text_hash FROM observations ORDER BY oid"
    )
    while try select.step() {
      rows += 1
      let id = select.integer(0)
      let place: [String: RasdError.Detail] = ["observation": .number(id)]
      guard let table = names.table(select.integer(2)),
        let key = RowKey(table, text: select.text(3)), let hash = select.digest(4),
        let namespace = key.namespace ?? org.flatMap({ Namespace($0) }),
        let text = try? self.table.text(of: id),
        let row = try? reader.read(line: text.span, table: table, namespace: namespace)
      else {
        try fault(.row, place)
        continue
      }
      let prepared = PreparedRow(row)
      if row.hash != hash || row.key != key || prepared.textHash != select.digest(5)
        || prepared.keyHash != select.integer(1)
      {
        try fault(.row, place.merging(["table": .text(table.text)]) { $1 })
      }
    }
  }

  private func checkChoices(_ fault: Report) throws(RasdError) {
    let shared = try connection.prepare("SELECT khash, count(*) FROM observations GROUP BY khash")
    let keys = try connection.prepare(
      "SELECT DISTINCT tid, key FROM observations WHERE khash = ?1"
    )
    while try shared.step() {
      try keys.bind(1, shared.integer(0))
      defer { keys.reset() }
      while try keys.step() {
        guard let table = names.table(keys.integer(0)),
          let key = RowKey(table, text: keys.text(1))
        else { continue }
        let stored = try self.table.storedKey(key)
        if try !resolver.isSettled(stored) {
          try fault(.choice, ["table": .text(table.text), "khash": .number(stored.hash)])
        }
      }
    }
  }

  private func blobError(_ blob: HeldBlob) -> RasdError? {
    switch vault.proved(blob.sha256) {
    case .failure(let error): error
    case .success(let proved):
      proved.bytes == blob.bytes ? nil : RasdError(.integrity, .blobHashMismatch)
    }
  }
}
