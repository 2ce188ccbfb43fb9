import Glibc
package import RasdModel
import RasdReport

/// Finds the regular files under a folder, to any depth, in bytewise order of their paths.
///
/// Links are not followed; they and other kinds of file are listed apart.
package struct FolderWalk {
  package private(set) var files: [String] = []
  /// Each before those that lie in it.
  package private(set) var folders: [String] = []
  /// Links, FIFOs and the like.
  package private(set) var others: [String] = []
  /// Folders and files that could not be looked at.
  package private(set) var failures: [RasdError] = []

  package init(_ root: String) {
    visit(root.hasSuffix("/") ? String(root.dropLast()) : root)
    files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    others.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private mutating func visit(_ root: String) {
    // A list of folders to do, not recursion: their depth is somebody else's choice.
    var waiting = [root]
    while let folder = waiting.popLast() {
      folders.append(folder)
      guard let handle = unsafe opendir(folder) else {
        failures.append(.system(errno, path: folder))
        continue
      }
      defer { unsafe closedir(handle) }
      while let entry = unsafe readdir(handle) {
        let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
          unsafe Array($0.prefix { $0 != 0 })
        }
        guard let name = String(validating: bytes, as: UTF8.self) else {
          let path = Array("\(folder)/".utf8) + bytes
          failures.append(RasdError(.unavailable, .notUTF8, ["path": .bytes(path)]))
          continue
        }
        guard name != ".", name != ".." else { continue }
        let path = "\(folder)/\(name)"
        switch PathFacts.kind(path) {
        case .folder: waiting.append(path)
        case .file: files.append(path)
        case .other: others.append(path)
        case nil: failures.append(.system(errno, path: path))
        }
      }
    }
  }
}

/// What stands at a path.
package enum PathFacts {
  package enum Kind: Sendable { case file, folder, other }

  /// The kind of the thing itself, a link being `other`; nil where nothing can be told.
  static func kind(_ path: String) -> Kind? {
    var facts = stat()
    guard unsafe lstat(path, &facts) == 0 else { return nil }
    return kind(facts)
  }

  /// Whether anything stands there, be it a link to nothing.
  static func exists(_ path: String) -> Bool { kind(path) != nil }

  /// The kind of what a path a person gave leads to, links followed.
  package static func target(_ path: String) throws(RasdError) -> (kind: Kind, bytes: Int) {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { throw .system(errno, path: path) }
    return (kind(facts), Int(facts.st_size))
  }

  /// What tells a file from one that was put in its place, and from itself once it was written to;
  /// nil where there is none.
  static func mark(_ path: String) -> String? {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { return nil }
    let times = [facts.st_mtim, facts.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
    return "\(facts.st_ino) \(facts.st_size) \(times[0]) \(times[1])"
  }

  /// Whether users other than this one may write there.
  static func isWritableByOthers(_ path: String) -> Bool {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { return false }
    let isAnothers = facts.st_uid != geteuid() && facts.st_uid != 0
    return isAnothers || facts.st_mode & (S_IWGRP | S_IWOTH) != 0
  }

  private static func kind(_ facts: stat) -> Kind {
    switch facts.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }
}
