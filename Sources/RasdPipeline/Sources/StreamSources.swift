import Glibc
import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// Exports that come as a stream: the members of a bundle and standard input.
///
/// Standard input may be an export or a bundle. Each is spooled, sealed, before it is proved.
struct StreamSources {
  let preflight: Preflight
  let credentials: Credentials
  /// Where streams are set down: a file system with room for the largest export.
  let folder: String

  /// Gives each export in turn; those that can't be opened are refused and the rest goes on.
  ///
  /// - Throws: what is wrong with the stream itself, and what `body` throws.
  func forEach(
    in source: FoundSource,
    _ body: (OpenedExport) throws(RasdError) -> Void
  ) throws(RasdError) {
    guard source.kind == .standardInput else {
      return try forEach(inBundle: ByteSource(path: source.path), source.path, body)
    }
    let spool = try ByteSource.draining(STDIN_FILENO, into: folder)
    let head = try spool.read(at: 0, count: min(FileKind.headBytes, spool.size))
    switch FileKind.of(head: head, path: source.path) {
    case .bundle: try forEach(inBundle: spool, source.path, body)
    case .export, .empty, .database, .unknown: try open(spool, source.path, body)
    }
  }

  private func forEach(
    inBundle bytes: ByteSource,
    _ path: String,
    _ body: (OpenedExport) throws(RasdError) -> Void
  ) throws(RasdError) {
    let found = try Bundle(bytes).unpack(spoolingIn: folder) { (member) throws(RasdError) in
      try preflight.run.interrupt.check()
      try open(member.source, "\(path)/\(member.name)", body)
    }
    if found.exports == 0 { throw RasdError(.unavailable, .nothingFound) }
  }

  private func open(
    _ source: ByteSource,
    _ path: String,
    _ body: (OpenedExport) throws(RasdError) -> Void
  ) throws(RasdError) {
    let opened = Result { () throws(RasdError) in
      try OpenedExport(
        .spool(source),
        path: path,
        credentials: credentials,
        plaintext: preflight.plaintext
      )
    }
    if let export = try preflight.admit(opened, path: path) { try body(export) }
  }
}
