import RasdContainer
import RasdCrypto
import RasdModel

/// Where what a rescue gets out goes.
protocol RescueTarget: RescuedBlobTaker {
  /// A line that is a row of its table, or was one before its checksum broke.
  mutating func take(
    _ line: Span<UInt8>,
    _ table: TableName,
    _ grade: Grade,
    _ place: RescuePlace,
    number: Int
  ) throws(RasdError)
}

/// Grades each line that a rescue gets out, puts the blobs together, counts both and hands them
/// to a target.
///
/// Used from the one thread that the rescue runs on.
final class RescueGathering<Target: RescueTarget>: RescueTaker {
  private(set) var target: Target
  private let namespace: Namespace
  private let run: Run
  private var reader = RescueReader()
  private var joiner = BlobJoiner()
  private var grades: [TableName: [Grade: Int]] = [:]
  private var unreadable = 0

  init(_ target: Target, _ namespace: Namespace, _ run: Run) {
    (self.target, self.namespace, self.run) = (target, namespace, run)
  }

  func row(
    _ line: Span<UInt8>,
    _ table: TableName,
    _ place: RescuePlace,
    number: Int
  ) throws(RasdError) {
    guard let grade = reader.grade(of: line, table, namespace, place) else {
      unreadable += 1
      return
    }
    grades[table, default: [:]][grade, default: 0] += 1
    run.progress.advance(rows: 1)
    try target.take(line, table, grade, place, number: number)
  }

  func blob(
    _ bytes: Span<UInt8>,
    _ id: BlobID,
    _ place: RescuePlace,
    offset: Int
  ) throws(RasdError) {
    try joiner.take(bytes, id, offset: offset, into: &target)
  }

  /// Ends the last blob, and says what came of all.
  func finish() throws(RasdError) -> RescueTally {
    try joiner.end(&target)
    return RescueTally(grades: grades, unreadable: unreadable, blobs: joiner.joined)
  }
}

/// What was counted of a rescue.
struct RescueTally {
  let grades: [TableName: [Grade: Int]]
  /// Lines that open and are no rows.
  let unreadable: Int
  /// Of each blob without a hole, as far as it was had.
  let blobs: [BlobID: BlobJoiner.Joined]

  var delivered: Int { grades.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
}
