import Glibc
import RasdCrypto
import RasdModel
import RasdReport

/// A folder of the run's own in the system's temporary folder, taken away with all in it.
///
/// Nothing goes in that is not sealed.
final class TemporaryFolder {
  let path: String

  /// The system's own, or what the environment names.
  static var parent: String {
    unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
  }

  init() throws(RasdError) {
    path = "\(Self.parent)/rasdkit-\(Hex.encode(SecureRandom.bytes(8)))"
    guard unsafe mkdir(path, 0o700) == 0 else { throw .system(errno, path: path) }
  }

  deinit {
    let walk = FolderWalk(path)
    for file in walk.files { unsafe unlink(file) }
    // The deepest first.
    for folder in walk.folders.reversed() { unsafe rmdir(folder) }
  }
}
