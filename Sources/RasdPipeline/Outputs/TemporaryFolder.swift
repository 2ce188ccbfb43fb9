import Glibc
import RasdCrypto
import RasdModel
import RasdReport

/// A folder of the run's own in the system's temporary folder, taken away with all in it.
///
/// Nothing goes in that is not sealed. What a run that was killed left is taken away by the next
/// one: a folder is somebody's for as long as it is locked.
final class TemporaryFolder {
  let path: String
  private let lock: Int32

  /// The system's own, or what the environment names.
  static var parent: String {
    let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    return named.isEmpty ? "/tmp" : named
  }

  private static let prefix = "rasdkit-run-"

  init() throws(RasdError) {
    Self.clearUp()
    path = "\(Self.parent)/\(Self.prefix)\(Hex.encode(SecureRandom.bytes(8)))"
    guard unsafe mkdir(path, 0o700) == 0 else { throw .system(errno, path: path) }
    lock = Self.locked(path) ?? -1
  }

  deinit {
    Self.remove(path)
    if lock >= 0 { close(lock) }
  }

  /// Takes away the folders of this user's runs that are no more.
  private static func clearUp() {
    guard let parent = unsafe opendir(parent) else { return }
    defer { unsafe closedir(parent) }
    while let entry = unsafe readdir(parent) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(prefix) else { continue }
      let path = "\(Self.parent)/\(name)"
      var facts = stat()
      guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR,
        facts.st_uid == geteuid(), let lock = locked(path)
      else { continue }
      remove(path)
      close(lock)
    }
  }

  /// A descriptor that holds the folder's lock; nil where another run does.
  private static func locked(_ path: String) -> Int32? {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard folder >= 0 else { return nil }
    guard flock(folder, LOCK_EX | LOCK_NB) == 0 else {
      close(folder)
      return nil
    }
    return folder
  }

  private static func remove(_ path: String) {
    let walk = FolderWalk(path)
    for file in walk.files + walk.others { unsafe unlink(file) }
    // The deepest first.
    for folder in walk.folders.reversed() { unsafe rmdir(folder) }
  }
}
