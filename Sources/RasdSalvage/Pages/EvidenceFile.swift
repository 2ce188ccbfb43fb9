internal import Glibc
internal import RasdCrypto
package import RasdModel

/// A file of evidence, open for reading only: never locked, never written, and its access time
/// left alone where the system lets us.
package final class EvidenceFile: Sendable {
  package let path: String
  package let size: Int64
  private let descriptor: Int32
  /// Where reads fail, for tests of a card that is dying.
  private let failing: [Range<Int64>]

  /// What to do where a path names a symbolic link.
  package enum Links: Sendable {
    /// Somebody named it: the file behind it is meant.
    case follow
    /// It was found in a folder: what it points at is not part of the evidence.
    case refuse
  }

  /// Opens a regular file.
  ///
  /// - Throws: `unavailable` with `open-failed` (`path`, `errno`) or `not-a-regular-file`.
  package convenience init(path: String, links: Links = .follow) throws(RasdError) {
    try self.init(path: path, links: links, failing: [])
  }

  init(path: String, links: Links = .follow, failing: [Range<Int64>]) throws(RasdError) {
    // O_NONBLOCK: a pipe in the folder must not keep us waiting.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (links == .refuse ? O_NOFOLLOW : 0)
    // Only the owner may ask for O_NOATIME.
    var descriptor = unsafe Glibc.open(path, flags | noAccessTime)
    if descriptor < 0, errno == EPERM { descriptor = unsafe Glibc.open(path, flags) }
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
    self.failing = failing
    size = Int64(facts.st_size)
  }

  deinit { close(descriptor) }

  /// Fills `buffer` from its index `start` on; fewer bytes at the end of the file or where the
  /// device fails.
  func read(at offset: Int64, into buffer: inout [UInt8], from start: Int) -> Int {
    var got = 0
    var wanted = buffer.count - start
    for range in failing where range.upperBound > offset {
      wanted = min(wanted, Int(clamping: max(0, range.lowerBound - offset)))
    }
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

  /// What the file is now: contents by SHA-256, zeros standing for what the device does not give,
  /// times and size.
  ///
  /// - Throws: `unavailable` with `io-error` (`path`) where the system says nothing of it, with
  ///   `offset` where it is shorter than it was.
  package func seal() throws(RasdError) -> EvidenceSeal {
    let facts = try facts()
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var at: Int64 = 0
    var unreadable = 0
    let store = ByteStore(self)
    while true {
      var gaps: [Range<Int>] = []
      let count = store.read(at: at, into: &buffer, gaps: &gaps)
      unreadable += gaps.reduce(0) { $0 + $1.count }
      hash.update(buffer.span.extracting(first: count))
      at += Int64(count)
      if count < buffer.count { break }
    }
    return EvidenceSeal(
      path: path,
      size: at,
      sha256: hash.finish(),
      unreadable: Int64(unreadable),
      modified: facts.modified,
      changed: Int64(facts.st_ctim.tv_sec) * 1_000_000_000 + Int64(facts.st_ctim.tv_nsec)
    )
  }

  /// When its contents last changed, in nanoseconds since 1970.
  package func modified() throws(RasdError) -> Int64 { try facts().modified }

  private func facts() throws(RasdError) -> stat {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else {
      throw RasdError(.unavailable, .ioError, ["path": .text(path)])
    }
    return facts
  }
}

/// What a file of evidence was at one moment; two that are equal say that nothing touched it.
package struct EvidenceSeal: Hashable, Sendable {
  package let path: String
  package let size: Int64
  package let sha256: SHA256Digest
  /// Bytes that the device did not give.
  package let unreadable: Int64
  /// Nanoseconds since 1970.
  package let modified: Int64
  package let changed: Int64
}

/// `O_NOATIME`, which Glibc's module leaves out.
private let noAccessTime: Int32 = 0o1000000

extension stat {
  fileprivate var modified: Int64 {
    Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec)
  }
}
