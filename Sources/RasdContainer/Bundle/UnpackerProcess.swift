import CArchive
import Glibc
import RasdModel

/// The running child, ended when its owner lets go of it.
final class UnpackerProcess {
  let socket: UnpackerSocket
  private let descriptor: FileDescriptor
  private let pid: pid_t
  private var isReaped = false

  /// Much faster than anything inflates here, and a minute for the rest.
  private static let bytesASecond = 4 << 20

  /// Starts `executable` again as an unpacker of an archive of so many bytes.
  init(_ executable: String, _ format: BundleFormat, archiveSize: Int) throws(RasdError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Self.closeOnExec, 0, &ends) == 0
    else { throw .system(.ioError, ["process": "unpacker"]) }
    descriptor = FileDescriptor(owning: ends[0])
    let child = FileDescriptor(owning: ends[1])
    socket = UnpackerSocket(raw: ends[0])
    let seconds = 60 + archiveSize / Self.bytesASecond
    let arguments = [Unpacker.argument, format.rawValue, String(seconds)]
    // The child's end must stay open until it has it.
    pid = try withExtendedLifetime(child) { () throws(RasdError) in
      try Self.spawn(executable, arguments, child.raw)
    }
  }

  private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)

  deinit { _ = end() }

  /// Ends the child; the signal that ended it before, where one did.
  func end() -> Int32? {
    guard !isReaped else { return nil }
    isReaped = true
    shutdown(socket.raw, Int32(SHUT_RDWR))
    kill(pid, SIGKILL)
    return wait()
  }

  /// Waits for a child that has closed its end; the signal that ended it, where one did.
  func reap() -> Int32? {
    guard !isReaped else { return nil }
    isReaped = true
    shutdown(socket.raw, Int32(SHUT_RDWR))
    return wait()
  }

  private func wait() -> Int32? {
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? nil : signal
  }

  /// The child has the socket as its descriptors 0 and 1, nothing as 2, and nothing else: no
  /// file, no environment.
  private static func spawn(
    _ executable: String,
    _ arguments: [String],
    _ socket: Int32
  ) throws(RasdError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)

    let argv = unsafe (["rasdkit"] + arguments).map { unsafe strdup($0) } + [nil]
    let environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    defer { unsafe argv.forEach { unsafe free($0) } }
    var pid: pid_t = 0
    let failure = unsafe posix_spawn(&pid, executable, &actions, nil, argv, environment)
    guard failure == 0 else {
      throw RasdError(
        .unavailable,
        .ioError,
        ["process": "unpacker", "errno": .number(Int64(failure))]
      )
    }
    return pid
  }
}
