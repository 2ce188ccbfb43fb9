import Glibc

extension RasdError {
  /// What the system's error number says; `otherwise` where its own word is no better one.
  package static func system(
    _ number: Int32,
    or otherwise: Reason,
    _ details: [String: Detail] = [:]
  ) -> RasdError {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: return RasdError(.quota, .diskFull, details)
    case EACCES, EPERM: return RasdError(.unavailable, .notPermitted, details)
    case EMFILE, ENFILE: return RasdError(.unavailable, .tooManyFiles, details)
    default:
      var facts = details
      if number != 0 {
        facts["errno"] = .number(Int64(number))
        facts["message"] = .text(unsafe String(cString: strerror(number)))
      }
      return RasdError(.unavailable, otherwise, facts)
    }
  }

  /// The same of a path that a person gave.
  package static func system(_ number: Int32, path: String) -> RasdError {
    let details: [String: Detail] = ["path": .text(path)]
    return switch number {
    case ENOENT, ENOTDIR: RasdError(.unavailable, .notFound, details)
    case EROFS: RasdError(.unavailable, .notPermitted, details)
    default: system(number, or: .openFailed, details)
    }
  }
}
