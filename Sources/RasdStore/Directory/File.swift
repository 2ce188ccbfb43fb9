internal import CGlibc
internal import Glibc
internal import RasdModel

/// One open file of the store; closing is its end of life.
struct File: ~Copyable, Sendable {
  let descriptor: CInt
  let path: String

  private init(_ descriptor: CInt, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { Glibc.close(descriptor) }

  /// Files of a store are their owner's alone.
  static let mode: mode_t = 0o600
  static let directoryMode: mode_t = 0o700

  /// Opens a file, or with `O_DIRECTORY` a directory.
  ///
  /// Errors: `store-damaged` where anything else stands there; a FIFO is never waited for.
  static func open(_ path: String, _ flags: CInt = O_RDONLY) throws(RasdError) -> File {
    let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
    guard descriptor >= 0 else { throw systemError(errno, path) }
    let file = File(descriptor, path)
    let kind = flags & O_DIRECTORY == 0 ? S_IFREG : S_IFDIR
    guard try file.status().st_mode & S_IFMT == kind else {
      throw RasdError(.corrupt, .storeDamaged, ["path": .text(path)])
    }
    return file
  }

  /// A new file, which must not be there yet.
  static func create(_ path: String) throws(RasdError) -> File {
    try open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
  }

  func write(_ bytes: Span<UInt8>) throws(RasdError) {
    if let failure = ByteOutput.write(bytes, to: descriptor) {
      throw Self.systemError(failure, path)
    }
  }

  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  func read(_ count: Int, at offset: Int) throws(RasdError) -> [UInt8] {
    var failure: CInt = 0
    let bytes = [UInt8](capacity: count) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
        while filled < count {
          let got = unsafe pread(
            descriptor,
            buffer.baseAddress?.advanced(by: filled),
            count - filled,
            off_t(offset + filled)
          )
          if got < 0 && errno == EINTR { continue }
          if got < 0 { failure = errno }
          if got <= 0 { return }
          filled += got
        }
      }
    }
    if failure != 0 { throw Self.systemError(failure, path) }
    return bytes
  }

  func size() throws(RasdError) -> Int { Int(try status().st_size) }

  private func status() throws(RasdError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.systemError(errno, path) }
    return status
  }

  /// Lets the disk begin on what was written, so that `sync` has less to wait for.
  func beginSync() { sync_file_range(descriptor, 0, 0, rasd_sync_file_range_write) }

  func sync() throws(RasdError) {
    guard fsync(descriptor) == 0 else { throw Self.systemError(errno, path) }
  }

  static func syncDirectory(_ path: String) throws(RasdError) {
    try open(path, O_RDONLY | O_DIRECTORY).sync()
  }

  /// Makes a directory for its owner alone; answers whether it was not there before.
  @discardableResult
  static func makeDirectory(_ path: String) throws(RasdError) -> Bool {
    if unsafe mkdir(path, directoryMode) == 0 { return true }
    guard errno == EEXIST else { throw systemError(errno, path) }
    return false
  }

  /// Gives a file another name, in place of a file or an empty directory that has it.
  static func rename(_ from: String, to: String) throws(RasdError) {
    if unsafe Glibc.rename(from, to) == 0 { return }
    let number = errno
    guard number == EISDIR, unsafe rmdir(to) == 0, unsafe Glibc.rename(from, to) == 0 else {
      throw systemError(number, to)
    }
  }

  /// Removes a file if it is there.
  static func remove(_ path: String) { unsafe unlink(path) }

  /// The size of a regular file; nil where there is none.
  static func size(at path: String) -> Int? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The names in a directory, sorted bytewise; nil where it cannot be read.
  static func names(in path: String) -> [String]? {
    guard let directory = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Replaces a file so that at every instant either the old or the new bytes stand whole.
  static func replace(_ path: String, with bytes: Span<UInt8>) throws(RasdError) {
    let temporary = path + ".new"
    remove(temporary)
    do {
      let file = try create(temporary)
      try file.write(bytes)
      try file.sync()
      try rename(temporary, to: path)
    } catch {
      remove(temporary)
      throw error
    }
  }

  static func systemError(_ number: CInt, _ path: String) -> RasdError {
    .system(number, or: number == EROFS ? .readOnly : .ioError, ["path": .text(path)])
  }
}
