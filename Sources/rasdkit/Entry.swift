import CGlibc
import Glibc
import RasdContainer
import RasdCrypto
import RasdModel
import RasdPipeline

@main
struct Entry {
  static func main() {
    // A bundle's hostile bytes are read by another of this program, before it becomes anything.
    Unpacker.runIfAsked()
    ProcessHardening.apply()
    Self.keepStandardStreams()
    Self.raiseOpenFiles()
    // A reader that went away and a file that may not grow are answers to a write, no deaths.
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    // Parts of an export are large and come one after another: their memory is used again
    // rather than given back and asked for anew, page by page.
    for setting in [M_MMAP_THRESHOLD, M_TRIM_THRESHOLD] { mallopt(setting, 32 << 20) }
    let console = Console()
    let status = Dispatch(console: console).run(CommandLine.arguments.dropFirst())
    exit(console.settled(status).rawValue)
  }

  /// Has as many files open as the system allows, up to what the largest run needs.
  private static func raiseOpenFiles() {
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(kind, &limit) == 0, limit.rlim_cur < 1024 else { return }
    limit.rlim_cur = min(limit.rlim_max, 1024)
    unsafe setrlimit(kind, &limit)
  }

  /// Opens nothing where a standard stream was closed, so that no file of a run ever gets its
  /// number, and with it the words meant for a person.
  private static func keepStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }
}
