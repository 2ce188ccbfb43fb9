import Glibc
import RasdModel
import RasdReport

/// Places for what is written.
enum Outputs {
  /// Makes the folder that a path lies in, where only that one is missing.
  static func makeParent(of path: String) throws(RasdError) {
    let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")), slash > trimmed.startIndex
    else { return }
    let folder = String(trimmed[..<slash])
    guard !PathFacts.exists(folder) else { return }
    try makeFolder(folder)
  }

  static func makeFolder(_ path: String) throws(RasdError) {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .system(errno, path: path)
    }
  }

  /// Bytes that are free where `path` is or will be; nil where the system does not say.
  static func freeSpace(at path: String) -> Int? {
    var facts = statvfs()
    var place = path
    while unsafe statvfs(place, &facts) != 0 {
      guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")), slash > place.startIndex else {
        place = place.hasPrefix("/") ? "/" : "."
        guard unsafe statvfs(place, &facts) == 0 else { return nil }
        break
      }
      place = String(place[..<slash])
    }
    return Int(clamping: facts.f_bavail).multipliedReportingOverflow(by: Int(facts.f_frsize))
      .partialValue
  }
}
