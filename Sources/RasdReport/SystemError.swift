import Glibc
package import RasdModel

extension RasdError {
  /// What the system's error number says of a file.
  package static func system(_ number: Int32, path: String) -> RasdError {
    let details: [String: Detail] = ["path": .text(path)]
    switch number {
    case ENOENT, ENOTDIR: return RasdError(.unavailable, .notFound, details)
    case EACCES, EPERM, EROFS: return RasdError(.unavailable, .notPermitted, details)
    case ENOSPC, EDQUOT, EFBIG: return RasdError(.quota, .diskFull, details)
    case EMFILE, ENFILE: return RasdError(.unavailable, .tooManyFiles, details)
    default:
      var facts = details
      facts["errno"] = .number(Int64(number))
      return RasdError(.unavailable, .openFailed, facts)
    }
  }
}
