import CArchive
import Glibc

/// The child that unpacks a bundle: libarchive on hostile bytes, in a process that holds no key,
/// no file and no way to either.
package enum Unpacker {
  /// The hidden first argument with which the program starts itself as one.
  package static let argument = "--unpack-bundle"

  /// Room for the widest window that zstd may ask for (128 MiB) and the program itself.
  private static let addressSpace: UInt64 = 768 << 20
  private static let piece = 256 << 10

  /// Becomes the unpacker where the arguments say so; to be called first in the program.
  package static func runIfAsked(_ arguments: [String] = CommandLine.arguments) {
    guard arguments.count == 4, arguments[1] == argument,
      let format = BundleFormat(rawValue: arguments[2]), let seconds = UInt64(arguments[3])
    else { return }
    // File names in tars of any charset come out as UTF-8; it needs no file of the system's.
    unsafe setlocale(LC_CTYPE, "C.UTF-8")
    giveUpEverything(seconds)
    exit(unpack(format) ? 0 : 1)
  }

  private static func giveUpEverything(_ seconds: UInt64) {
    _ = shim_no_new_privileges()
    let limits: [(__rlimit_resource, UInt64)] = [
      (RLIMIT_AS, addressSpace), (RLIMIT_CPU, seconds), (RLIMIT_NOFILE, 3), (RLIMIT_FSIZE, 0),
      (RLIMIT_CORE, 0), (__RLIMIT_NPROC, 0),
    ]
    for (resource, value) in limits {
      var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
      unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
    // From here on it computes, takes memory and talks to its parent: no file is named, no process
    // signalled. Where the kernel has no such filter, the limits above stand alone.
    _ = shim_confine()
  }

  private static func unpack(_ format: BundleFormat) -> Bool {
    let socket = UnpackerSocket(raw: 0)
    guard let archive = ArchiveHandle(format, socket) else {
      return socket.send(UnpackerFrame(.failure, first: UnpackerFrame.Failure.outOfMemory.rawValue))
    }
    while true {
      switch archive.nextEntry() {
      case .end: return socket.send(UnpackerFrame(.end))
      case .failed(let failure):
        return socket.send(UnpackerFrame(.failure, first: failure.rawValue))
      case .entry(let type, let size, let name):
        let frame = UnpackerFrame(.entry, first: type.rawValue, second: size)
        guard name.count <= UnpackerFrame.longest, socket.send(frame, name.span) else {
          return false
        }
      }
      var bytes: [UInt8] = []
      while true {
        guard let count = archive.read(Self.piece, into: &bytes) else {
          return socket.send(
            UnpackerFrame(.failure, first: archive.failure.rawValue)
          )
        }
        guard count > 0 else { break }
        guard socket.send(UnpackerFrame(.data), bytes.span) else { return false }
      }
    }
  }
}
