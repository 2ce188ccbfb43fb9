import RasdContainer
import RasdCrypto
import RasdModel
import RasdStore

/// A line of an export, read and checked by a worker.
enum ReadRow: Sendable {
  case row(PreparedRow)
  /// A line of a store's export.
  case observation(ObservationLine)
  case rejected(RowRejection, text: [UInt8])

  var rejection: RowRejection? { if case .rejected(let why, _) = self { why } else { nil } }
  var hash: SHA256Digest? { if case .row(let row) = self { row.row.hash } else { nil } }
}

/// How lines become rows.
struct RowRules: Sendable {
  let namespace: Namespace
  /// Whether observation lines are read as what they stand for.
  let isStoreExport: Bool
  /// Whether a form whose hash is not its definition's is rejected.
  let strictForms: Bool

  /// A worker's own reader of a part's lines.
  @Sendable func makeReader() -> (RowsPart, Span<UInt8>) -> [ReadRow] {
    var reader = RowReader(sha256: SHA256.digest)
    return { part, body in
      var rows: [ReadRow] = []
      rows.reserveCapacity(part.rows)
      Lines.forEach(in: body) { line in
        rows.append(read(line, of: part.table, with: &reader))
      }
      return rows
    }
  }

  private func read(
    _ line: Span<UInt8>,
    of table: TableName,
    with reader: inout RowReader
  ) -> ReadRow {
    do throws(RowRejection) {
      if isStoreExport, table == ObservationLine.table {
        return .observation(try ObservationLine.read(line, with: &reader))
      }
      let row = try reader.read(line: line, table: table, namespace: namespace)
      if strictForms, case .form(let facts) = row.facts, !facts.hashHolds {
        throw RowRejection(.definitionHash, key: row.key)
      }
      return .row(PreparedRow(row))
    } catch {
      var text: [UInt8] = []
      text.reserveCapacity(line.count)
      for i in line.indices { text.append(line[i]) }
      return .rejected(error, text: text)
    }
  }
}
