import Glibc
package import RasdModel

/// A file that has no name until it is complete: a run that is killed leaves nothing behind.
///
/// Mode 0600. Where the file system has no nameless files, it has a name of its own beside the
/// final one until then, which a failed run removes.
package final class OutputFile {
  /// Nil for a file that never gets a name.
  private let path: String?
  private let replacing: Bool
  private let descriptor: FileDescriptor
  /// The name it has until it is complete, where it has one.
  private var temporary: String?
  private(set) var size = 0

  package init(_ path: String, replacing: Bool) throws(RasdError) {
    self.path = path
    self.replacing = replacing
    let isFree = unsafe access(path, F_OK) != 0
    guard replacing || isFree else {
      throw RasdError(.unavailable, .outputExists, ["path": .text(path)])
    }
    guard isFree || Self.mayReplace(path) else {
      throw RasdError(.unavailable, .notARegularFile, ["path": .text(path)])
    }
    if let nameless = FileDescriptor(trulyNamelessIn: Self.folder(of: path)) {
      descriptor = nameless
      return
    }
    let name = Self.temporaryName(beside: path)
    let named = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard named >= 0 else { throw .system(.openFailed, ["path": .text(path)]) }
    descriptor = FileDescriptor(owning: named)
    temporary = name
  }

  /// A file that is only read back, and gone when its last reader is.
  init(namelessIn folder: String) throws(RasdError) {
    descriptor = try FileDescriptor.nameless(in: folder)
    path = nil
    replacing = false
  }

  deinit { discard() }

  /// What has been written, to be read.
  var source: ByteSource { ByteSource(descriptor, size: size) }

  package func write(_ bytes: Span<UInt8>) throws(RasdError) {
    try descriptor.write(bytes)
    size += bytes.count
  }

  /// Leaves bytes out that read as zeros and take no space.
  package func skip(_ count: Int) throws(RasdError) {
    size += count
    guard ftruncate(descriptor.raw, off_t(size)) == 0,
      lseek(descriptor.raw, off_t(size), SEEK_SET) == off_t(size)
    else { throw .system(.ioError, path.map { ["path": .text($0)] } ?? [:]) }
  }

  /// Makes the bytes durable and gives the file its name.
  package func commit() throws(RasdError) {
    guard let path else { return }
    let place: [String: RasdError.Detail] = ["path": .text(path)]
    guard fsync(descriptor.raw) == 0 else { throw .system(.ioError, place) }
    if temporary == nil {
      // A link can't replace a file: where one may be replaced, a name of its own comes first.
      let target = replacing ? Self.temporaryName(beside: path) : path
      let source = "/proc/self/fd/\(descriptor.raw)"
      let linked = unsafe linkat(AT_FDCWD, source, AT_FDCWD, target, AT_SYMLINK_FOLLOW)
      guard linked == 0 else { throw .system(.ioError, place) }
      if replacing { temporary = target }
    } else if !replacing, unsafe access(path, F_OK) == 0 {
      throw RasdError(.unavailable, .outputExists, place)
    }
    if let name = temporary {
      guard unsafe rename(name, path) == 0 else { throw .system(.ioError, place) }
      temporary = nil
    }
    let folder = unsafe open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  /// Whether what stands there is a file or a link, and no device, FIFO or folder: those are
  /// never replaced by a file.
  private static func mayReplace(_ path: String) -> Bool {
    var facts = stat()
    guard unsafe lstat(path, &facts) == 0 else { return true }
    return [S_IFREG, S_IFLNK].contains(facts.st_mode & S_IFMT)
  }

  private func discard() {
    if let temporary { unsafe unlink(temporary) }
    temporary = nil
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return String(path[...slash])
  }

  private static func temporaryName(beside path: String) -> String {
    "\(folder(of: path))/.rasdkit-\(String(UInt64.random(in: .min ... .max), radix: 16)).tmp"
  }
}
