import RasdContainer
import RasdCrypto
import RasdModel

/// Says how far to trust the lines that open in a damaged export.
struct RescueReader: ~Copyable {
  private var reader = RowReader(sha256: SHA256.digest)

  /// Nil for a line that is no row of its table.
  mutating func grade(
    of line: Span<UInt8>,
    _ table: TableName,
    _ namespace: Namespace,
    _ place: RescuePlace
  ) -> Grade? {
    do throws(RowRejection) {
      let row = try reader.read(line: line, table: table, namespace: namespace)
      if case .submission(let facts) = row.facts, facts.status != .draft,
        !row.notices.contains(where: { $0.reason == .checksumAbsent })
      {
        return .verified
      }
      return place.isSealed ? .intact : .plausible
    } catch {
      return error.reason == .rowChecksumMismatch ? .contradicted : nil
    }
  }
}
