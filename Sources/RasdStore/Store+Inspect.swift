package import RasdCrypto
package import RasdModel

extension Store {
  /// What stands in the clear of the store at `path`: its id and its key slots.
  ///
  /// - Throws: `store-missing`, or `store-damaged` where neither file of slots is whole.
  package static func slots(
    at path: String
  ) throws(RasdError) -> (id: ExportID, slots: [KeySlot]) {
    let file = try SlotsFile.read(StoreDirectory(path: path))
    return (file.storeId, file.slots)
  }
}

extension VisibleRow {
  /// The text with a member `namespace`, where that tells its table's rows apart: a line of the
  /// export to JSONL.
  package var jsonl: [UInt8] {
    table.isPerNamespace ? ShownRow.text(text, namespace: key.namespace?.text) : text
  }
}

extension Store {
  /// What is known of the row that a reader sees of a key; nil where there is none.
  package func seen(_ key: RowKey) throws(RasdError) -> RowFacts? {
    try table.variants(of: try table.storedKey(key)).first { $0.seen != .no }?.facts
  }

  /// Every namespace that delivered an active observation of a key.
  package func namespaces(delivering key: RowKey) throws(RasdError) -> Set<Namespace> {
    let variants = try table.variants(of: try table.storedKey(key))
    return Set(variants.flatMap(\.deliveries).compactMap { names.namespace($0.namespace) })
  }
}
