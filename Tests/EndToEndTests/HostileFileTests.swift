import RasdModel
import TestSupport
import Testing

/// Mutated databases under the limits of a process of their own: two seconds of a processor, 256
/// MiB, an exit status that is documented.
@Suite struct HostileFileTests {
  static let fixtures = ["plain-512.db", "cipher4-1024.db"]

  @Test("random mutations end in rows or a reason", arguments: fixtures)
  func mutations(fixture: String) throws {
    let folder = try TemporaryDirectory()
    let path = Checkout.path("Tests/RasdSalvageTests/Fixtures/" + fixture)
    let sound = try File.read(path)
    let log = try File.read(path + "-wal")
    let key = try folder.write(String(repeating: "5a", count: 32), to: "key.txt")
    var random = SeededGenerator(for: "mutations of \(fixture)")
    var statuses: [Int32: Int] = [:]
    for round in 0..<Soak.rounds(short: 15, long: 5_000) {
      var files = [sound, log]
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let file = Int.random(in: 0..<3, using: &random) / 2
        let at = Int.random(in: 0..<files[file].count, using: &random)
        files[file][at] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 3 == 0 { files[0].removeLast(Int.random(in: 0..<files[0].count, using: &random)) }
      let database = try folder.write(files[0], to: "evidence/device.db")
      _ = try folder.write(files[1], to: "evidence/device.db-wal")
      let out = folder.file("out")
      let result = try Product.run(
        ["salvage", "--quiet", "--force", "--key-file", key, "--to", out, database],
        limits: .init(cpuSeconds: Soak.isLong ? 2 : 10)
      )
      #expect(result.signal == nil, "round \(round) ended by a signal: \(result.errorText)")
      #expect([0, 1, 3, 12].contains(result.status), "\(result.status) \(result.errorText)")
      #expect(result.peakKiB < 256 << 10, "round \(round): \(result.peakKiB) KiB")
      statuses[result.status, default: 0] += 1
    }
    #expect(statuses[0, default: 0] + statuses[1, default: 0] > 0)
  }
}
