import RasdContainer
package import RasdModel
import RasdReport

/// What a consolidation came to, by device.
package struct Consolidation: Sendable {
  /// What became of one namespace's rows in this run.
  package struct Device: Sendable {
    package let namespace: String
    package internal(set) var rows = RowTally()
    package internal(set) var exports = 0
    package internal(set) var blobs = 0
    /// As its latest export says it; the later text of two that are no times.
    package internal(set) var lastExport = ""
  }

  private var byNamespace: [String: Device] = [:]
  package internal(set) var digest: SHA256Digest?
  /// Sources that were not taken.
  package internal(set) var refused = 0
  /// Blobs that the store had lost and this run brought back.
  package internal(set) var restored = 0
  /// Keys that stand in conflict in the store when the run ends.
  package internal(set) var conflicts = 0

  package var devices: [Device] {
    byNamespace.values.sorted { $0.namespace.utf8.lexicographicallyPrecedes($1.namespace.utf8) }
  }

  package var total: RowTally { byNamespace.values.reduce(into: RowTally()) { $0 += $1.rows } }

  mutating func add(_ export: OpenedExport, _ tables: TableTally) {
    add(export.namespace, export.exportedAt, blobs: export.end?.blobs.count ?? 0, tables)
  }

  mutating func add(
    _ namespace: Namespace,
    _ exportedAt: String,
    blobs: Int,
    _ tables: TableTally
  ) {
    let name = namespace.text
    var device = byNamespace[name] ?? Device(namespace: name)
    device.rows += tables.sum
    device.exports += 1
    device.blobs += blobs
    if Self.isLater(exportedAt, than: device.lastExport) { device.lastExport = exportedAt }
    byNamespace[name] = device
  }

  private static func isLater(_ a: String, than b: String) -> Bool {
    switch (Instant(a), Instant(b)) {
    case (let x?, let y?): x > y
    case (.some, nil): true
    case (nil, .some): false
    case (nil, nil): a > b
    }
  }
}
