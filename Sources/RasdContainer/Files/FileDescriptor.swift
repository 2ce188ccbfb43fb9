import Glibc
import RasdModel

/// An open file, closed when its last owner lets go of it.
final class FileDescriptor: Sendable {
  let raw: Int32

  init(owning raw: Int32) { self.raw = raw }

  /// Opens for reading, with `O_NONBLOCK` so that a FIFO can be refused instead of waited for.
  convenience init(reading path: String) throws(RasdError) {
    let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard raw >= 0 else { throw .system(.openFailed, ["path": .text(path)]) }
    self.init(owning: raw)
  }

  deinit { close(raw) }

  /// `O_TMPFILE`, whose definition in C does not come across.
  private static let namelessFlag = 0o20_000_000 | O_DIRECTORY

  /// A file that has no name and can be given one; nil where the file system has none such.
  convenience init?(trulyNamelessIn folder: String) {
    let raw = unsafe open(folder, Self.namelessFlag | O_RDWR | O_CLOEXEC, 0o600)
    guard raw >= 0 else { return nil }
    self.init(owning: raw)
  }

  /// A file that has no name, or has lost it.
  static func nameless(in folder: String) throws(RasdError) -> FileDescriptor {
    if let file = FileDescriptor(trulyNamelessIn: folder) { return file }
    let path = "\(folder)/.rasdkit-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    let raw = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { throw .system(.openFailed, ["path": .text(folder)]) }
    unsafe unlink(path)
    return FileDescriptor(owning: raw)
  }

  func regularFileSize(_ path: String) throws(RasdError) -> Int {
    var facts = stat()
    guard unsafe fstat(raw, &facts) == 0 else { throw .system(.openFailed, ["path": .text(path)]) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw RasdError(.unavailable, .notARegularFile, ["path": .text(path)])
    }
    return Int(facts.st_size)
  }

  /// Appends exactly `count` bytes from `offset`; fewer is `truncated`.
  func append(at offset: Int, count: Int, to bytes: inout [UInt8]) throws(RasdError) {
    var failure: RasdError?
    bytes.append(addingCapacity: count) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        guard let start = buffer.baseAddress else { return }
        while initialized < count {
          let at = offset + initialized
          let n = unsafe pread(raw, start + initialized, count - initialized, off_t(at))
          if n < 0 && errno == EINTR { continue }
          guard n > 0 else {
            let place: [String: RasdError.Detail] = ["offset": .number(Int64(at))]
            failure =
              n < 0 ? .system(.ioError, place) : RasdError(.corrupt, .truncated, place)
            return
          }
          initialized += n
        }
      }
    }
    if let failure { throw failure }
  }

  /// Writes all of `bytes` at the file's own position.
  func write(_ bytes: Span<UInt8>) throws(RasdError) {
    if let failure = ByteOutput.write(bytes, to: raw) { throw .system(failure, or: .ioError) }
  }
}

extension RasdError {
  /// What `errno` says, with the reason where the system's own word is not a better one.
  static func system(_ reason: Reason, _ details: [String: Detail] = [:]) -> RasdError {
    let number = errno
    return number == EEXIST
      ? RasdError(.unavailable, .outputExists, details) : .system(number, or: reason, details)
  }
}
