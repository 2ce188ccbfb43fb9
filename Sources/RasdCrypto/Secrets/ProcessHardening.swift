internal import COpenSSL
internal import Glibc

/// Keeps what the process knows out of core dumps and away from other processes of the user.
package enum ProcessHardening {
  /// To be called first thing; what the system refuses is done without.
  ///
  /// Core dumps are off for the children too. The process can no longer be traced, nor its memory
  /// read through `/proc`, by anyone but root. Files are made for this user alone, those that
  /// libraries make too.
  package static func apply() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    _ = shim_make_undumpable()
    umask(0o077)
  }
}
