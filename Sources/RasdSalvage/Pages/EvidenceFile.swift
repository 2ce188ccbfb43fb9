internal import Glibc
package import RasdModel

/// A file of evidence, open for reading only: never locked, never written, and its access time
/// left alone where the system lets us.
package final class EvidenceFile: Sendable {
  package let path: String
  package let size: Int64
  private let descriptor: Int32

  /// Opens a regular file.
  ///
  /// - Throws: `unavailable` with `open-failed` (`path`, `errno`) or `not-a-regular-file`.
  package init(path: String) throws(RasdError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    // Only the owner may ask for O_NOATIME.
    var descriptor = unsafe open(path, flags | noAccessTime)
    if descriptor < 0, errno == EPERM { descriptor = unsafe open(path, flags) }
    guard descriptor >= 0 else {
      throw RasdError(
        .unavailable,
        .openFailed,
        ["path": .text(path), "errno": .number(Int64(errno))]
      )
    }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw RasdError(.unavailable, .notARegularFile, ["path": .text(path)])
    }
    self.path = path
    self.descriptor = descriptor
    size = Int64(facts.st_size)
  }

  deinit { close(descriptor) }

  /// Fills `buffer` from its index `start` on; fewer bytes at the end of the file or where the
  /// device fails.
  func read(at offset: Int64, into buffer: inout [UInt8], from start: Int) -> Int {
    var got = 0
    let wanted = buffer.count - start
    while got < wanted {
      let n = unsafe buffer.withUnsafeMutableBufferPointer { pointer in
        unsafe pread(
          descriptor,
          pointer.baseAddress.map { unsafe $0 + start + got },
          wanted - got,
          Int(offset) + got
        )
      }
      if n < 0, errno == EINTR { continue }
      guard n > 0 else { break }
      got += n
    }
    return got
  }
}

/// `O_NOATIME`, which Glibc's module leaves out.
private let noAccessTime: Int32 = 0o1000000
