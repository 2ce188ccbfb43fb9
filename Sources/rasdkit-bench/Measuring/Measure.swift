import Glibc

/// One line of the table of benchmarks: what was measured, against what it is held.
struct Finding {
  let name: String
  let value: Double
  let unit: String
  /// What is asked for, such as `≥ 250`; nil where the number only informs.
  let bound: Bound?

  enum Bound {
    case atLeast(Double)
    case atMost(Double)

    var text: String {
      switch self {
      case .atLeast(let limit): "≥ \(Finding.number(limit))"
      case .atMost(let limit): "≤ \(Finding.number(limit))"
      }
    }

    func holds(_ value: Double) -> Bool {
      switch self {
      case .atLeast(let limit): value >= limit
      case .atMost(let limit): value <= limit
      }
    }
  }

  init(_ name: String, _ value: Double, _ unit: String, _ bound: Bound? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.bound = bound
  }

  var isMet: Bool { bound?.holds(value) ?? true }

  /// A row of a Markdown table.
  var line: String {
    let asked = bound.map { "\($0.text) \(unit)" } ?? ""
    let verdict = bound == nil ? "" : isMet ? "yes" : "**no**"
    return "| \(name) | \(Self.number(value)) \(unit) | \(asked) | \(verdict) |"
  }

  /// Three digits are what a shared machine can tell.
  static func number(_ value: Double) -> String {
    guard value < 100, value != value.rounded() else { return String(Int(value.rounded())) }
    let scaled = value < 10 ? (value * 100).rounded() / 100 : (value * 10).rounded() / 10
    return "\(scaled)"
  }
}

enum Measure {
  /// Processor seconds of this thread in the fastest of `rounds`, after one that warms caches.
  static func threadSeconds(rounds: Int = 3, _ body: () throws -> Void) rethrows -> Double {
    try body()
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = threadClock()
      try body()
      best = min(best, threadClock() - start)
    }
    return best
  }

  private static func threadClock() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Seconds on the wall.
  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// Keeps the optimizer from leaving out what made `value`.
  @_optimize(none)
  static func keep<Value>(_ value: Value) {}
}

/// Measurements taken in turns.
enum Rounds {
  static let count = 5

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// The median of the ratios within each round.
  static func ratio(_ above: [Double], _ below: [Double]) -> Double {
    median(zip(above, below).map { $0 / $1 })
  }
}
