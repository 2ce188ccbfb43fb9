internal import Glibc
internal import RasdModel

/// The lock of a store: one writer at a time, and a text that names it.
///
/// The kernel's lock decides (it ends with its holder, however that ends), the text only
/// tells a person who holds it; a text without a lock is a stale one and is overwritten.
final class StoreLock {
  private let file: File

  private init(_ file: consuming File) { self.file = file }

  /// Takes the lock, or says who holds it.
  static func take(_ directory: StoreDirectory) throws(RasdError) -> StoreLock {
    let path = directory.lock
    let file = try File.open(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw File.systemError(errno, path) }
      let holder = try file.read(longestText, at: 0)
      throw RasdError(
        .locked,
        .storeLocked,
        ["path": .text(path), "holder": .text(line(holder))]
      )
    }
    try describeHolder(in: file)
    return StoreLock(file)
  }

  /// What is read of a holder's text: a host name and two numbers fit in this many bytes.
  private static let longestText = 512

  private static func describeHolder(in file: borrowing File) throws(RasdError) {
    var host = [CChar](repeating: 0, count: 256)
    unsafe gethostname(&host, host.count - 1)
    let name = String(
      decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    let now = Instant(seconds: Int64(time(nil)))
    guard ftruncate(file.descriptor, 0) == 0 else { throw File.systemError(errno, file.path) }
    try file.write(Array("process \(getpid()) on \(name) since \(now.text)\n".utf8).span)
  }

  private static func line(_ bytes: [UInt8]) -> String {
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return line.isEmpty ? "another process" : line
  }
}
