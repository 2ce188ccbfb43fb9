/// Where an entry of a proved archive lies.
///
/// Its name is not kept (there may be a million): it stands in the local header, and is read
/// with the bytes behind it.
package struct ZipEntry: Sendable {
  /// The local header's offset.
  package let offset: Int
  /// From the local header's first byte to the entry's.
  let headerSize: UInt32
  let nameSize: UInt16
  let isDeflated: Bool
  let isFolder: Bool
  package let checksum: UInt32
  /// Bytes in the file.
  package let storedSize: Int
  /// Bytes after inflating, as the directory says.
  package let size: Int

  var dataOffset: Int { offset + Int(headerSize) }
  var dataEnd: Int { dataOffset + storedSize }
}
