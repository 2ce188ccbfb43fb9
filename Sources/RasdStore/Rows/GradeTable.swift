internal import RasdModel
internal import SQLCipherKit

/// What salvages said of observations, found by the observation (salvage, §Rows).
///
/// It is made of the lines of the grades' host table, which are observations themselves: they
/// travel with a store and its exports, and what is said of a row is a function of the set like
/// all else.
final class GradeTable {
  private let connection: Connection
  private let names: Names
  private let insert: Statement
  private let find: Statement

  init(_ connection: Connection, _ names: Names) throws(RasdError) {
    self.connection = connection
    self.names = names
    insert = try connection.statement("INSERT OR IGNORE INTO grades VALUES (?1, ?2, ?3, ?4, ?5)")
    find = try connection.statement(
      "SELECT line, grade, kind FROM grades WHERE tid = ?1 AND hash = ?2"
    )
  }

  /// Notes what a line says, which is the observation `line`; one that names no row says nothing.
  func note(_ text: [UInt8], line: Int64) throws(RasdError) {
    guard let said = SalvageGrade(line: text.span) else { return }
    try insert.bind(1, try names.number(said.row))
    try insert.bind(2, said.hash)
    try insert.bind(3, line)
    try insert.bind(4, text: said.grade.rawValue)
    try insert.bind(5, text: said.kind.rawValue)
    try insert.run()
  }

  /// The best that is said of an observation by a line that `isActive`; nil where no salvage
  /// brought it.
  func grade(
    of table: TableName,
    _ hash: SHA256Digest,
    where isActive: (Int64) throws(RasdError) -> Bool
  ) throws(RasdError) -> Grade? {
    guard let number = names.number(known: table) else { return nil }
    try find.bind(1, number)
    try find.bind(2, hash)
    defer { find.reset() }
    var best: Grade?
    while try find.step() {
      guard let grade = Grade(rawValue: find.text(1)) else { continue }
      if best.map({ $0 < grade }) ?? true, try isActive(find.integer(0)) { best = grade }
    }
    return best
  }
}

extension Store {
  /// How far the salvage that brought an observation trusts it; nil where none brought it.
  func grade(of table: TableName, _ hash: SHA256Digest) throws(RasdError) -> Grade? {
    try self.table.grades.grade(of: table, hash) { (line) throws(RasdError) in
      try !self.table.activeDeliveries(of: line).isEmpty
    }
  }

  /// How many of the rows that a reader sees a salvage brought, by grade.
  func visibleGrades() throws(RasdError) -> [Grade: Int] {
    guard try connection.integer("SELECT EXISTS (SELECT 1 FROM grades)") == 1 else { return [:] }
    let select = try connection.prepare(
      """
      SELECT o.tid, o.hash FROM observations o WHERE o.seen > 0
        AND EXISTS (SELECT 1 FROM grades g WHERE g.tid = o.tid AND g.hash = o.hash)
      """
    )
    var counts: [Grade: Int] = [:]
    while try select.step() {
      guard let table = names.table(select.integer(0)), let hash = select.digest(1),
        let grade = try grade(of: table, hash)
      else { continue }
      counts[grade, default: 0] += 1
    }
    return counts
  }
}
