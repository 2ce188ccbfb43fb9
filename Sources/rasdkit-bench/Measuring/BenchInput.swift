import Glibc
import RasdContainer
import RasdCrypto
import RasdModel

/// What the benchmarks work on: made once, kept in the build folder.
enum BenchInput {
  static let folder = ".build/bench"
  static let stores = folder + "/stores"
  static let key = folder + "/device.key"
  static let storeKey = folder + "/store.key"
  /// Rows and photos of the one large export.
  static let largeRows = 10_000
  static let largePhotos = 200

  /// About 5 kB and 250 members a submission, 250 kB a photo.
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

  /// 10,000 submissions and 200 photos in one file.
  static func large() throws -> String {
    try export("large", device(submissions: largeRows, photos: largePhotos))
  }

  /// 500 MB of photos in one file.
  static func photos() throws -> String {
    try export("photos", device(submissions: 2_000, photos: 2_000))
  }

  /// A folder of `count` exports of 1,000 rows.
  static func fleet(_ count: Int) throws -> String {
    let name = "fleet-\(count)"
    for seed in 1...count {
      _ = try export(
        "\(name)/\(seed)",
        device(submissions: 1_000, photos: 2, seed: UInt64(seed))
      )
    }
    return folder + "/" + name
  }

  private static func export(_ name: String, _ device: MadeDevice) throws -> String {
    let path = "\(folder)/\(name).rasdx"
    let keys = try rawKey()
    guard unsafe access(path, F_OK) != 0 else { return path }
    try OutputFile.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    try MadeExport(device: device, recipients: [.rawKey(keys)]).write(to: path)
    return path
  }

  /// The key of every export here, made with the first.
  private static func rawKey() throws -> RawKey {
    for path in [key, storeKey] where unsafe access(path, F_OK) != 0 {
      try OutputFile.write(Hex.encode(SecureRandom.bytes(32)) + "\n", to: path)
    }
    let text = try OutputFile.read(key)
    return try RawKey(text.span)
  }

  /// Where a store that is not there yet may be made.
  static func newStore() throws -> String {
    try OutputFile.makeFolder(stores)
    return stores + "/" + Hex.encode(SecureRandom.bytes(8))
  }

  static func remove(_ path: String) throws { _ = try ChildRun.run(["rm", "-rf", path]) }
}
