import RasdModel

/// What a bundle may ask for.
enum BundleLimits {
  /// A fleet has thousands of exports; an archive of a whole disk is no bundle.
  static let entries = 100_000
  /// Sealed exports hardly deflate, plaintext ones twenty to one: what inflates so much more was
  /// made to.
  static let ratio = 200
  /// So much is never too much, whatever the ratio.
  static let freeBytes = 4 << 20

  static func isBomb(stored: Int, size: Int) -> Bool {
    size > freeBytes && size / ratio > stored
  }
}

extension RasdError {
  static func limit(_ entry: [UInt8]) -> RasdError {
    RasdError(
      .unavailable,
      .limitExceeded,
      ["entry": .name(entry)]
    )
  }
}
