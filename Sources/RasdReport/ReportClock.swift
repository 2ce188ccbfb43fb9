import Glibc
import RasdModel

/// The moments and the run id of a report.
package enum ReportClock: Sendable {
  case real
  /// Fixed, so that two reports on the same input differ in nothing.
  case reproducible

  /// The zero moment that stands in every reproducible report.
  private static let zero = "1970-01-01T00:00:00.000Z"

  /// RFC 3339 in UTC, with milliseconds.
  func at() -> String {
    switch self {
    case .real: Instant(milliseconds: Self.now).text
    case .reproducible: Self.zero
    }
  }

  /// A version 7 UUID of this moment.
  func run() -> String {
    var random = [UInt8](repeating: 0, count: 10)
    guard case .real = self else { return UUIDText.version7(milliseconds: 0, random: random) }
    var generator = SystemRandomNumberGenerator()
    for i in random.indices { random[i] = generator.next() }
    return UUIDText.version7(milliseconds: UInt64(max(0, Self.now)), random: random)
  }

  /// Seconds to the millisecond, which nothing measures in a reproducible report.
  static func seconds(_ value: Double) -> JSONValue? {
    let milliseconds = (max(0, value) * 1000).rounded()
    return JSONNumber(milliseconds / 1000).map { .number($0) }
  }

  /// This moment, as manifests are written.
  package static var moment: String { Instant(milliseconds: now).text }

  /// Milliseconds since 1970.
  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec / 1_000_000)
  }
}
