import Glibc

/// Bytes to a descriptor, all of them.
package enum ByteOutput {
  /// The system's error number where not all could be written, nil where they were.
  package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32? {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor,
          buffer.baseAddress.map { unsafe $0 + done },
          buffer.count - done
        )
      }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
