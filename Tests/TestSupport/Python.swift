import Foundation
package import Testing

/// The independent Python tools of the shared folder: makers of fleets and device databases
/// with known answers, and a second reader and writer of the container.
package enum Python {
  /// What `./dev test` prepared, or the machine's own.
  package static let executable =
    ProcessInfo.processInfo.environment["RASDKIT_PYTHON"] ?? "/usr/bin/env"

  package static func command(_ arguments: [String]) -> [String] {
    executable == "/usr/bin/env" ? ["python3"] + arguments : arguments
  }

  /// Runs `tools/<tool>` of the shared folder.
  package static func run(
    _ tool: String,
    _ arguments: [String],
    input: [UInt8] = [],
    timeout: Duration = .seconds(300)
  ) throws -> ChildProcess.Result {
    try ChildProcess.run(
      executable,
      command([Shared.path("tools/" + tool)] + arguments),
      input: input,
      environment: ["PYTHONDONTWRITEBYTECODE": "1"],
      timeout: timeout
    )
  }

  /// Runs a program given as text, with the tools importable (`import rasdx`).
  package static func run(
    program: String,
    _ arguments: [String] = [],
    input: [UInt8] = []
  ) throws -> ChildProcess.Result {
    try ChildProcess.run(
      executable,
      command(["-c", program] + arguments),
      input: input,
      environment: ["PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": Shared.path("tools")]
    )
  }

  /// Whether every named module can be imported.
  package static func imports(_ modules: [String]) -> Bool {
    let program = "import " + modules.joined(separator: ", ")
    let result = try? ChildProcess.run(executable, command(["-c", program]))
    return result?.status == 0
  }

  fileprivate static let hasContainerModules = imports(["cryptography", "rfc8785"])
  fileprivate static let hasDatabaseModules =
    hasContainerModules && imports(["sqlcipher3"])
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only where the container tools (`rasdx.py`, `fleet.py`) can run.
  package static var containerTools: Self {
    .enabled(
      if: Shared.has("tools/rasdx.py") && Python.hasContainerModules,
      "skipped: ../shared/tools or the Python modules cryptography, rfc8785 are absent"
    )
  }

  /// Runs the test only where `devicedb.py` and `peer_import.py` can run too.
  package static var databaseTools: Self {
    .enabled(
      if: Shared.has("tools/devicedb.py") && Python.hasDatabaseModules,
      "skipped: ../shared/tools or the Python modules cryptography, rfc8785, sqlcipher3 are absent"
    )
  }
}
