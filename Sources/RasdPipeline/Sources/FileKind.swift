import Glibc
import RasdContainer
package import RasdModel
import RasdReport

/// What a file is, told by its first bytes and never by its name alone.
package enum FileKind: String, Sendable {
  case export
  /// An archive in which exports may stand.
  case bundle
  /// A SQLite database in the clear; an encrypted one has no mark and is `unknown`.
  case database
  case empty
  case unknown

  /// The head of a file that is enough to tell.
  static let headBytes = BundleFormat.headSize

  /// The kind of what `head` begins.
  ///
  /// A ZIP is an export when its first entry is a manifest, or when its name says so: a
  /// broken export must be refused as one, not searched for exports.
  package static func of(head: [UInt8], path: String) -> FileKind {
    if isExportName(path) { return .export }
    if head.isEmpty { return .empty }
    if head.starts(with: Array("PK\u{3}\u{4}".utf8)) {
      return head.dropFirst(30).starts(with: Array("manifest.json".utf8)) ? .export : .bundle
    }
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return .database }
    return BundleFormat(head: head) == nil ? .unknown : .bundle
  }

  package static func isExportName(_ path: String) -> Bool {
    path.utf8.count > 6 && path.suffix(6).lowercased() == ".rasdx"
  }

  /// Opens and reads the head of the file at `path`.
  package static func of(path: String) throws(RasdError) -> FileKind {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw .system(errno, path: path) }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: headBytes)
    let count = unsafe pread(file, &head, headBytes, 0)
    guard count >= 0 else { throw .system(errno, path: path) }
    return of(head: Array(head.prefix(count)), path: path)
  }
}
