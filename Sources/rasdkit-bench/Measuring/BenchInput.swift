import RasdModel

/// What the benchmarks work on: made once, kept in the build folder.
enum BenchInput {
  /// The device whose export of 10,000 rows the issue of speed is about: about 5 kB and 250
  /// members a submission.
  static func device(submissions: Int, photos: Int = 0, seed: UInt64 = 1) -> MadeDevice {
    MadeDevice(
      namespace: "example.u_\(seed)",
      label: "bench \(seed)",
      seed: seed,
      submissions: submissions,
      photos: photos,
      photoBytes: 250_000,
      extraMembers: 242
    )
  }

  static func lines(submissions: Int) throws -> [[UInt8]] {
    let device = device(submissions: submissions)
    return try (0..<submissions).map { try device.made($0).row().text }
  }
}
