import TestSupport

/// Small databases that stand beside the tests; `Fixtures/make.py` says what they hold.
enum Fixture {
  /// The raw key of the encrypted ones.
  static let key = String(repeating: "5a", count: 32)

  static func path(_ name: String) -> String {
    Checkout.path("Tests/RasdSalvageTests/Fixtures/" + name)
  }

  static func bytes(_ name: String) -> [UInt8] {
    guard let bytes = try? File.read(path(name)) else { preconditionFailure("no fixture \(name)") }
    return bytes
  }
}
