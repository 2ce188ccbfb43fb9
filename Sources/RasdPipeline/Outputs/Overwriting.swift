import Glibc
import RasdContainer
import RasdModel
import RasdReport

/// Whether what stands at a path may be replaced.
package enum Overwriting: Sendable {
  case refused, allowed

  /// Writes a small file, for its owner alone to read, under its name when it is complete.
  func write(_ bytes: Span<UInt8>, to path: String) throws(RasdError) {
    let file = try OutputFile(path, replacing: self == .allowed)
    try file.write(bytes)
    try file.commit()
  }

  /// Refuses a path where something stands, or says what replacing it loses.
  func check(_ path: String, _ run: Run) throws(RasdError) {
    guard PathFacts.exists(path) else { return }
    guard self == .allowed else {
      throw RasdError(.unavailable, .outputExists, ["path": .text(path)])
    }
    let bytes = try PathFacts.target(path).bytes
    try run.find(
      FindingEvent(
        .warning,
        .outputReplaced,
        subject: ["path": .text(path)],
        details: ["files": 1, "bytes": .number(Int64(bytes))]
      )
    )
  }
}
