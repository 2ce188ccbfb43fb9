package import RasdModel

/// A file of exports: a ZIP or a tar, read by a child process and spooled member by member.
///
/// Our own pass proves a ZIP's structure before any library reads it; the child's word is held
/// against it. A member that is an export, or is called one, is handed over; the rest is counted.
/// Archives within archives are not opened.
package struct Bundle {
  package let format: BundleFormat
  private let source: ByteSource
  /// What each member must turn out to be, for a ZIP.
  private let expected: [ZipEntry]?

  /// A member that may be an export; its bytes are proved by nobody yet.
  package struct Member {
    /// The name in the bundle, safe to show.
    package let name: String
    package let source: ByteSource
  }

  package struct Summary: Sendable, Hashable {
    package internal(set) var exports = 0
    package internal(set) var others = 0
  }

  /// Throws `unsafe-container`, `truncated`, `limit-exceeded` for a ZIP that breaks the rules,
  /// `not-an-export` for what is no bundle.
  package init(_ source: ByteSource) throws(RasdError) {
    let head = try source.read(at: 0, count: min(BundleFormat.headSize, source.size))
    // Told apart by its first bytes, but for one that begins with something else.
    guard let format = BundleFormat(head: head) ?? (Self.endsLikeZip(source) ? .zip : nil) else {
      throw RasdError(.corrupt, source.size == 0 ? .empty : .notAnExport)
    }
    self.format = format
    self.source = source
    guard format == .zip else {
      expected = nil
      return
    }
    var rules = BundleZipRules()
    expected = try ZipDirectory(of: source, rules: &rules).entries
  }

  private static func endsLikeZip(_ source: ByteSource) -> Bool {
    let at = source.size - ZipRecord.endSize
    guard at >= 0, let end = try? source.read(at: at, count: ZipRecord.endSize) else {
      return false
    }
    return end.span.u32(0) == ZipRecord.endSignature
  }

  /// Unpacks the bundle, each member that may be an export into a nameless file of `folder`'s
  /// file system, sealed; `take` gets it when it is complete.
  ///
  /// `executable` is this program, which calls `Unpacker.runIfAsked` when it starts.
  package func unpack(
    spoolingIn folder: String,
    executable: String = "/proc/self/exe",
    _ take: (Member) throws(RasdError) -> Void
  ) throws(RasdError) -> Summary {
    // There is nothing to unpack, and libarchive knows no empty ZIP.
    guard expected?.isEmpty != true else { return Summary() }
    let process = try UnpackerProcess(executable, format, archiveSize: source.size)
    var session = UnpackerSession(source, process, expecting: expected, spoolingIn: folder)
    return try session.run(take)
  }
}
