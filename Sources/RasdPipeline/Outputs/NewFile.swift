import Glibc
import RasdModel
import RasdReport

/// Whether what stands at a path may be replaced.
package enum Overwriting: Sendable { case refused, allowed }

/// A file that appears under its name only when it is complete, for its owner alone to read.
struct NewFile {
  let path: String
  let overwriting: Overwriting
  /// Where its bytes go until then: beside it, so that the last step is a rename.
  let temporaryPath: String

  /// - Throws: `output-exists` where something stands there that may not be replaced.
  init(_ path: String, _ overwriting: Overwriting) throws(RasdError) {
    self.path = path
    self.overwriting = overwriting
    var generator = SystemRandomNumberGenerator()
    temporaryPath = "\(Self.folder(of: path)).rasdkit-\(String(generator.next(), radix: 16)).tmp"
    try check()
  }

  /// Writes all of `bytes` and gives the file its name.
  func write(_ bytes: Span<UInt8>) throws(RasdError) {
    let file = unsafe open(
      temporaryPath,
      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
      0o600
    )
    guard file >= 0 else { throw .system(errno, path: path) }
    let failure = ByteOutput.write(bytes, to: file) ?? (fsync(file) == 0 ? nil : errno)
    close(file)
    if let failure {
      discard()
      throw .system(failure, path: path)
    }
    try commit()
  }

  /// Gives a file that was written at `temporaryPath` its name.
  func commit() throws(RasdError) {
    do throws(RasdError) {
      try check()
      guard unsafe rename(temporaryPath, path) == 0 else { throw .system(errno, path: path) }
    } catch {
      discard()
      throw error
    }
    let folder = unsafe open(
      Self.folder(of: path, orElse: "."),
      O_RDONLY | O_DIRECTORY | O_CLOEXEC
    )
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  func discard() { unsafe unlink(temporaryPath) }

  private func check() throws(RasdError) {
    guard case .refused = overwriting, PathFacts.exists(path) else { return }
    throw RasdError(.unavailable, .outputExists, ["path": .text(path)])
  }

  /// The folder a path lies in, with its slash; nothing or `orElse` for the current one.
  private static func folder(of path: String, orElse: String = "") -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return orElse }
    return String(path[...slash])
  }
}
