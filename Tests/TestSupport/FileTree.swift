import Foundation
import Glibc

/// Everything a test can see of a folder (or one file): contents, times and modes by relative path.
package struct FileTree: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let isDirectory: Bool
    /// Permission bits, such as 0o600.
    package let mode: Int
    /// Nanoseconds of the times of change, of contents and of anything.
    package let modified: Int
    package let changed: Int
    /// A file's contents, a link's target.
    package let bytes: [UInt8]
  }

  /// By path relative to the root, which is itself the entry `.`.
  package let entries: [String: Entry]

  package init(of root: String) throws {
    var entries: [String: Entry] = [:]
    for relative in ["."] + FileTree.paths(under: root) {
      let path = relative == "." ? root : root + "/" + relative
      var facts = stat()
      guard unsafe lstat(path, &facts) == 0 else { continue }
      let kind = facts.st_mode & S_IFMT
      let bytes: [UInt8] =
        switch kind {
        case S_IFREG: try File.read(path)
        case S_IFLNK:
          Array(try FileManager.default.destinationOfSymbolicLink(atPath: path).utf8)
        default: []
        }
      entries[relative] = Entry(
        isDirectory: kind == S_IFDIR,
        mode: Int(facts.st_mode & 0o7777),
        modified: facts.st_mtim.tv_sec * 1_000_000_000 + facts.st_mtim.tv_nsec,
        changed: facts.st_ctim.tv_sec * 1_000_000_000 + facts.st_ctim.tv_nsec,
        bytes: bytes
      )
    }
    self.entries = entries
  }

  /// Every path below `root`, relative to it, sorted.
  package static func paths(under root: String) -> [String] {
    (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []).sorted()
  }

  /// The paths that are new, gone or different in any respect; empty where nothing was touched.
  package func changes(since earlier: FileTree) -> [String] {
    Set(entries.keys).union(earlier.entries.keys)
      .filter { entries[$0] != earlier.entries[$0] }.sorted()
  }

  /// The paths whose contents or names hold a marker, as bytes, as UTF-16 or as hex digits.
  package func paths(holding markers: [String]) -> [String] {
    let forms = markers.flatMap { marker -> [[UInt8]] in
      let bytes = Array(marker.utf8)
      let wide = marker.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      let hex = bytes.map { String($0, radix: 16).leftPadded }.joined()
      return [bytes, wide, Array(hex.utf8)]
    }
    return entries.filter { path, entry in
      forms.contains { entry.bytes.holds($0) || Array(path.utf8).holds($0) }
    }.keys.sorted()
  }
}

extension String {
  fileprivate var leftPadded: String { count == 1 ? "0" + self : self }
}

extension [UInt8] {
  /// Whether `needle`, which is not empty, stands anywhere in these bytes.
  package func holds(_ needle: [UInt8]) -> Bool {
    Data(self).range(of: Data(needle)) != nil
  }
}
