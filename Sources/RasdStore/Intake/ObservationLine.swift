package import RasdModel

/// One line of a store's export (the merge rules, §Digest and a store's export): an
/// observation with all the namespaces that delivered it.
package struct ObservationLine: Sendable {
  package static let table = TableName.host("x_rasdkit_observations")

  let table: TableName
  let hash: SHA256Digest
  let namespaces: [Namespace]
  /// The `until` of a decision for the observation's version.
  let pinnedUntil: Int64?
  /// Whether a reader of the exporting store sees it.
  let isVisible: Bool
  /// Nil where the row stands in its own table.
  let row: PreparedRow?
  /// The line itself, for a row that is still to come.
  let text: [UInt8]

  /// The tables whose visible rows a line may leave to them.
  static func mayLeaveOut(_ table: TableName) -> Bool {
    switch table {
    case .forms, .submissions, .attachments, .datasets: true
    case .outbox, .kv, .host: false
    }
  }

  /// Reads a line and the row in it; any worker can.
  package static func read(
    _ line: Span<UInt8>,
    with reader: inout RowReader
  ) throws(RowRejection) -> ObservationLine {
    var tape = JSONTape()
    do {
      try tape.parse(line)
    } catch {
      throw RowRejection(.notJSON, offset: error.offset)
    }
    func text(_ name: StaticString) -> String? {
      tape.member(name, of: 0, in: line).flatMap { tape.string(of: $0, in: line) }
    }
    guard let table = text("table").flatMap({ TableName($0) }), table != Self.table,
      let hash = text("hash").flatMap({ SHA256Digest(hex: $0) }),
      let items = tape.member("namespaces", of: 0, in: line).flatMap({ tape.items(of: $0) })
    else { throw RowRejection(.noKey) }
    let namespaces = items.compactMap { tape.string(of: $0, in: line).flatMap { Namespace($0) } }
    guard !items.isEmpty, namespaces.count == items.count,
      !table.isPerNamespace || namespaces.count == 1
    else { throw RowRejection(.noKey) }

    let pinned = tape.member("pinned", of: 0, in: line)
      .flatMap { tape.double(of: $0, in: line) }.flatMap { Int64(exactly: $0) }
    let visible = tape.member("visible", of: 0, in: line).map { tape.value(of: $0, in: line) }
    var row: PreparedRow?
    if let member = tape.member("row", of: 0, in: line) {
      let read = try reader.read(
        line: line.extracting(tape.range(of: member)),
        table: table,
        namespace: namespaces[0]
      )
      guard read.hash == hash else { throw RowRejection(.checksumMismatch, key: read.key) }
      row = PreparedRow(read)
    } else if !mayLeaveOut(table) {
      throw RowRejection(.noKey)
    }
    return ObservationLine(
      table: table,
      hash: hash,
      namespaces: namespaces.sorted(),
      pinnedUntil: pinned,
      isVisible: row == nil || visible?.bool == true,
      row: row,
      text: [UInt8](copying: line)
    )
  }
}
