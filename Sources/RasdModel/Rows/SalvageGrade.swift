/// What a salvage said of one row: a line of the host table that carries grades (salvage, §Rows).
package struct SalvageGrade: Hashable, Sendable {
  package static let table = TableName.host("x_rasdkit_salvage")

  /// The row's table, and SHA-256 of its canonical form.
  package let row: TableName
  package let hash: SHA256Digest
  package let grade: Grade
  package let kind: RowKind

  /// Reads a line; nil where it names no row.
  package init?(line: Span<UInt8>) {
    var tape = JSONTape()
    guard (try? tape.parse(line)) != nil else { return nil }
    func text(_ name: StaticString) -> String? {
      tape.member(name, of: 0, in: line).flatMap { tape.string(of: $0, in: line) }
    }
    guard let row = text("table").flatMap({ TableName($0) }), row != Self.table,
      let hash = text("hash").flatMap({ SHA256Digest(hex: $0) }),
      let grade = text("grade").flatMap({ Grade(rawValue: $0) }),
      let kind = text("kind").flatMap({ RowKind(rawValue: $0) })
    else { return nil }
    (self.row, self.hash, self.grade, self.kind) = (row, hash, grade, kind)
  }
}
