import RasdPipeline

/// How a run's progress is shown.
enum ProgressStyle: Sendable {
  /// Redrawn in place, ten times a second.
  case line
  /// A plain line each ten seconds, for logs; the first after one, since what takes no longer
  /// needs none.
  case plain
  /// A JSON object a line, as often, for programs.
  case json
  case silent

  static func chosen(quiet: Bool, json: Bool, terminal: Terminal) -> ProgressStyle {
    if quiet { return .silent }
    if json { return .json }
    return terminal.canRedraw ? .line : .plain
  }

  /// Milliseconds until the first look.
  var first: Int {
    switch self {
    case .line, .json: 100
    case .plain: 1_000
    case .silent: 10_000
    }
  }

  /// Milliseconds between two looks.
  var interval: Int {
    switch self {
    case .line, .json: 100
    case .plain, .silent: 10_000
    }
  }
}

/// Words for where a run stands, from two looks at it.
struct ProgressDisplay {
  /// When the phase that is being shown began, in seconds.
  private var began = 0.0
  private var phase = -1

  /// One line: phase, share, amounts, rate and time left.
  mutating func line(_ standing: Progress.Standing, now: Double) -> String {
    let rate = rate(standing, now: now)
    var parts = [standing.phase.rawValue]
    if standing.total > 0 {
      let share = min(100, standing.done * 100 / standing.total)
      parts.append("\(share)%")
      parts.append("\(Units.bytes(standing.done)) of \(Units.bytes(standing.total))")
    }
    if standing.sources > 1 {
      parts.append("\(standing.sourcesDone) of \(standing.sources) sources")
    }
    if standing.rows > 0 { parts.append("\(Units.count(standing.rows)) rows") }
    if let rate {
      parts.append("\(Units.bytes(Int(rate)))/s")
      let left = max(0, Double(standing.total - standing.done) / rate)
      if standing.total > 0 { parts.append("\(Units.duration(left)) left") }
    }
    return parts.joined(separator: "  ")
  }

  mutating func json(_ standing: Progress.Standing, now: Double) -> String {
    let rate = Int(rate(standing, now: now) ?? 0)
    return """
      {"event":"progress","phase":"\(standing.phase.rawValue)","done":\(standing.done),\
      "total":\(standing.total),"sourcesDone":\(standing.sourcesDone),\
      "sources":\(standing.sources),"rows":\(standing.rows),"rate":\(rate)}
      """
  }

  /// Bytes a second since the phase began; nil while there is nothing to tell it from.
  private mutating func rate(_ standing: Progress.Standing, now: Double) -> Double? {
    if standing.phases != phase { (phase, began) = (standing.phases, now) }
    let elapsed = now - began
    return standing.done > 0 && elapsed > 0.2 ? Double(standing.done) / elapsed : nil
  }
}
