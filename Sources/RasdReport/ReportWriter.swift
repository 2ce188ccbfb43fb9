import Glibc
package import RasdModel

/// Writes events as lines of JSON, in the order in which they happen.
///
/// Lines are buffered and leave whole: `flush` is called at each batch, so a killed run
/// leaves a readable report up to its last batch. Not for several threads at once.
package final class ReportWriter {
  /// A write of this size costs nothing worth saving; a line is seldom longer.
  private static let bufferLimit = 1 << 16

  private let descriptor: Int32
  private let closes: Bool
  private let path: String
  private let clock: ReportClock
  private let run: String
  private var seq = 0
  private var buffer: [UInt8] = []

  /// Writes to a descriptor that somebody else owns, as standard output.
  package init(descriptor: Int32, clock: ReportClock) {
    self.descriptor = descriptor
    closes = false
    path = "-"
    self.clock = clock
    run = clock.run()
  }

  /// Appends to the report at `path`, so that nothing is ever overwritten; makes it, for
  /// its owner alone to read, where there is none.
  ///
  /// Throws `report-not-ours` where another kind of file stands there.
  package init(path: String, clock: ReportClock) throws(RasdError) {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .system(errno, path: path) }
    descriptor = file
    closes = true
    self.path = path
    self.clock = clock
    run = clock.run()
    guard let begin = Self.standing(file) else {
      throw RasdError(.unavailable, .reportNotOurs, ["path": .text(path)])
    }
    if begin == .cutLine { buffer.append(UInt8(ascii: "\n")) }
  }

  deinit {
    if closes { close(descriptor) }
  }

  package func write<Event: ReportEvent>(_ event: Event) throws(RasdError) {
    seq += 1
    var members = Members()
    members.add("event", Event.name)
    members.add("seq", seq)
    members.add("run", run)
    members.add("at", clock.at())
    let line = JSONValue.object(members.list + event.members.list).text
    buffer.append(contentsOf: SafeText.escape(json: line))
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.bufferLimit { try flush() }
  }

  /// Hands every line so far to the system.
  package func flush() throws(RasdError) {
    if let failure = ByteOutput.write(buffer.span, to: descriptor) {
      throw .system(failure, path: path)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private enum Standing { case empty, wholeLines, cutLine }

  /// How the file ends; nil where it holds something that is no report.
  private static func standing(_ file: Int32) -> Standing? {
    let size = lseek(file, 0, SEEK_END)
    guard size != 0 else { return .empty }
    let head = Array("{\"event\":\"".utf8)
    var found = [UInt8](repeating: 0, count: head.count)
    guard unsafe pread(file, &found, head.count, 0) == head.count, found == head else { return nil }
    var last: UInt8 = 0
    guard unsafe pread(file, &last, 1, size - 1) == 1 else { return nil }
    return last == UInt8(ascii: "\n") ? .wholeLines : .cutLine
  }
}
