/// The fixed parts of ZIP records (APPNOTE 6.3.10, §4.3): signatures, sizes, where fields lie.
enum ZipRecord {
  static let localSignature: UInt32 = 0x0403_4B50
  static let localSize = 30
  static let descriptorSignature: UInt32 = 0x0807_4B50
  static let directorySignature: UInt32 = 0x0201_4B50
  static let directorySize = 46
  static let endSignature: UInt32 = 0x0605_4B50
  static let endSize = 22
  static let longestComment = 0xFFFF
  static let locatorSignature: UInt32 = 0x0706_4B50
  static let locatorSize = 20
  static let end64Signature: UInt32 = 0x0606_4B50
  static let end64Size = 56

  /// Stands in a 32-bit field whose value is in the ZIP64 extra field.
  static let elsewhere32 = 0xFFFF_FFFF
  static let elsewhere16 = 0xFFFF

  /// An entry's general purpose flags.
  static let encrypted = 1 << 0
  static let hasDescriptor = 1 << 3
  static let stronglyEncrypted = 1 << 6
  static let maskedHeader = 1 << 13

  static let stored = 0
  static let deflated = 8
}

/// Little-endian fields at fixed places of a record whose length has been checked.
extension Span<UInt8> {
  func u16(_ at: Int) -> Int { Int(self[at]) | Int(self[at + 1]) << 8 }
  func u32(_ at: Int) -> UInt32 { UInt32(truncatingIfNeeded: u16(at) | u16(at + 2) << 16) }
  func int32(_ at: Int) -> Int { u16(at) | u16(at + 2) << 16 }
  /// Nil where the value is beyond any file.
  func int64(_ at: Int) -> Int? {
    Int(exactly: UInt64(u32(at)) | UInt64(u32(at + 4)) << 32)
  }
}
