internal import RasdCrypto
internal import RasdModel

/// The form of a blob's file: 16 random bytes that name the file to its parts, then parts of
/// one size but the last, each sealed on its own (the format, §Parts).
///
/// A part is bound to its file and number, and its header says whether it is the last, so
/// parts can't be moved, swapped or cut off unseen; that a file is the blob it is named
/// after is proved by the hash of what it holds.
enum BlobFile {
  /// What one part holds, as the format's writers cut blobs.
  static let partSize = 4 << 20
  static let idSize = 16
  static let headerSize = 24
  static let sealedPartSize = ChunkedSeal.sealedSize(of: headerSize + partSize)

  /// The size of the file of a blob of so many bytes.
  static func size(of bytes: Int) -> Int {
    let full = max(0, bytes - 1) / partSize
    return idSize + full * sealedPartSize
      + ChunkedSeal.sealedSize(of: headerSize + bytes - full * partSize)
  }

  static func context(file id: [UInt8], part: Int) -> [UInt8] {
    var context = Array("rasdkit/1 blob\0".utf8)
    context.append(contentsOf: id)
    appendBigEndian(UInt64(part), to: &context)
    return context
  }

  /// The header of the format's parts: codec 0, the last flag, length and offset.
  static func header(length: Int, offset: Int, isLast: Bool) -> [UInt8] {
    var header: [UInt8] = [0, isLast ? 1 : 0, 0, 0]
    for shift in [24, 16, 8, 0] { header.append(UInt8(truncatingIfNeeded: length >> shift)) }
    appendBigEndian(UInt64(offset), to: &header)
    appendBigEndian(0, to: &header)
    return header
  }

  private static func appendBigEndian(_ value: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
