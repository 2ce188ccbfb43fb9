package import RasdModel
internal import SQLCipherKit

// What a store holds something of, for who asks for one of them by name.

extension Store {
  /// The namespaces that an active source delivered rows of, sorted.
  package func devices() throws(RasdError) -> [Namespace] {
    let select = try connection.prepare(
      """
      SELECT DISTINCT d.nsid FROM deliveries d JOIN sources s ON s.source = d.source
      WHERE s.retracted = 0
      """
    )
    var found: [Namespace] = []
    while try select.step() {
      if let namespace = names.namespace(Int(select.integer(0))) { found.append(namespace) }
    }
    return found.sorted()
  }

  /// The ids of the forms that a reader sees, and of those that submissions were filled with,
  /// sorted.
  package func formIDs() throws(RasdError) -> [String] {
    var found: Set<String> = []
    let select = try connection.prepare(
      "SELECT key FROM observations WHERE tid = 1 AND seen > 0"
    )
    while try select.step() {
      if let form = RowKey(.forms, text: select.text(0))?.parts.first { found.insert(form) }
    }
    let filled = try connection.prepare(
      "SELECT DISTINCT ref FROM observations WHERE tid = 2 AND seen > 0 AND ref IS NOT NULL"
    )
    while try filled.step() { found.insert(filled.text(0)) }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
