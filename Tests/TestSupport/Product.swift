import Foundation

/// The built programs, which stand beside the test bundle; `RASDKIT` names another `rasdkit`.
package enum Product {
  package static let rasdkit =
    ProcessInfo.processInfo.environment["RASDKIT"] ?? beside("rasdkit")

  private static func beside(_ name: String) -> String {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: bundle ?? "").deletingLastPathComponent().appending(path: name).path
  }

  /// Runs `rasdkit` with a plain terminal's environment.
  package static func run(
    _ arguments: [String],
    input: [UInt8] = [],
    environment: [String: String] = [:],
    directory: String? = nil,
    limits: ChildProcess.Limits = .init(),
    timeout: Duration = .seconds(300)
  ) throws -> ChildProcess.Result {
    try ChildProcess.run(
      rasdkit,
      arguments,
      input: input,
      environment: environment,
      directory: directory,
      limits: limits,
      timeout: timeout
    )
  }
}

/// Whether the long form of a test was asked for (`./dev soak`).
package enum Soak {
  package static let isLong = ProcessInfo.processInfo.environment["RASDKIT_SOAK"] == "1"

  /// How many rounds a test should take.
  package static func rounds(short: Int, long: Int) -> Int { isLong ? long : short }
}
