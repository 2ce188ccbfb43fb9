import Foundation
import TestSupport
import Testing

/// Damaged device databases whose recoverable rows are known from their pages.
@Suite struct DeviceTruthTests {
  @Test("every recoverable row, none invented, none altered unmarked", .databaseTools)
  func truth() throws {
    let folder = try TemporaryDirectory()
    let result = try ChildProcess.run(
      Python.executable,
      Python.command([
        "-c", try Tools.text("score_device.py"), Product.rasdkit, folder.path, "1",
        "\(Soak.rounds(short: 12, long: 200))",
      ]),
      environment: ["PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": Shared.path("tools")],
      timeout: .seconds(3600)
    )
    #expect(result.status == 0, "\(result.outputText)\(result.errorText)")
  }
}
