import Glibc
import RasdModel

/// Files that the bench program writes: 0600 in folders of 0700.
enum OutputFile {
  static func write(_ bytes: [UInt8], to path: String) throws {
    try makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe Glibc.write(file, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw failure(path) }
      done += count
    }
  }

  static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  static func read(_ path: String) throws -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      unsafe count = max(0, pread(file, buffer.baseAddress, size, 0))
    }
  }

  /// The first 64 KiB of a file that does not know its size.
  static func readStream(_ path: String) throws -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    return unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      unsafe count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
    }
  }

  /// Makes the folder and those above it.
  static func makeFolder(_ path: String) throws {
    guard !path.isEmpty, unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { throw failure(path) }
    try makeFolder(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 else { throw failure(path) }
  }

  static func remove(_ path: String) { unsafe unlink(path) }

  private static func failure(_ path: String) -> RasdError {
    RasdError(
      .unavailable,
      .ioError,
      ["path": .text(path), "message": .text(unsafe String(cString: strerror(errno)))]
    )
  }
}
