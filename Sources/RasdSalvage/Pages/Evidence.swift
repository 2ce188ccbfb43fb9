internal import Glibc
package import RasdModel

/// A folder of evidence, sorted: databases, each with its sidecars and older copies, and the rest.
package struct Evidence: Sendable {
  package let databases: [Database]
  /// Paths of files that are no part of a database, relative to the folder, sorted.
  package let others: [String]
  /// The folder that `others` is relative to.
  package let folder: String

  /// A database with what belongs to it, under whatever names.
  package struct Database: Sendable {
    package let file: EvidenceFile
    package let wals: [EvidenceFile]
    package let journals: [EvidenceFile]
    /// Copies that the app kept: `<name>.pre-<target>.db`, `<name>.corrupt.<time>`.
    package let olderCopies: [EvidenceFile]

    /// Everything that is read of it.
    package var files: [EvidenceFile] { [file] + wals + journals + olderCopies }

    /// Opens the database with all of these; the first page of an older copy may give the salt.
    package func open(_ options: PageSource.Options) throws(RasdError) -> PageSource {
      var options = options
      options.salts += olderCopies.map { ByteStore($0).bytes(at: 0, count: 16) }
        .filter { CipherTrial.isSalt($0) && !options.salts.contains($0) }
      return try PageSource.open(
        database: ByteStore(file),
        wals: wals.map { ByteStore($0) },
        journals: journals.map { ByteStore($0) },
        olderCopies: olderCopies.map { ByteStore($0) },
        options: options
      )
    }
  }

  /// Opens a folder, or a database file with the siblings whose names begin with its name.
  ///
  /// - Throws: `unavailable` with `open-failed` where the path itself can't be read.
  package init(path: String) throws(RasdError) {
    if let names = Self.names(in: path, links: .follow) {
      try self.init(folder: path, names: names, isChosen: false)
    } else {
      let file = try EvidenceFile(path: path)
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
      let siblings = (Self.names(in: folder, links: .follow) ?? []).filter {
        $0.hasPrefix(name) && $0 != name
      }
      try self.init(folder: folder, names: siblings, isChosen: true, first: (name, file))
    }
  }

  private init(
    folder: String,
    names: [String],
    isChosen: Bool,
    first: (name: String, file: EvidenceFile)? = nil
  ) throws(RasdError) {
    var named: [(name: String, file: EvidenceFile)] = first.map { [$0] } ?? []
    var sidecars: [(name: String, file: EvidenceFile, kind: EvidenceKind)] = []
    var others: [String] = []
    for name in names {
      let path = folder + "/" + name
      if let below = Self.names(in: path) {
        if !isChosen { others += Self.files(below: path, below, as: name, depth: 0) }
        continue
      }
      // What can't be opened or is a link, a socket or a device is not evidence to read.
      guard let file = try? EvidenceFile(path: path, links: .refuse) else { continue }
      switch EvidenceKind.of(ByteStore(file), name: name) {
      case .database: named.append((name, file))
      case .wal: sidecars.append((name, file, .wal))
      case .journal: sidecars.append((name, file, .journal))
      case .sharedMemory: break
      case .other: others.append(name)
      }
    }
    let older = named.filter { Self.isOlderCopy($0.name) && $0.name != first?.name }
    var current = named.filter { entry in !older.contains { $0.name == entry.name } }
    // A folder of nothing but older copies is still a folder of databases.
    if current.isEmpty { current = older }
    databases = current.map { entry in
      func own(_ name: String) -> Bool {
        let owner = Self.owner(of: name, among: current.map(\.name))
        return owner == nil || owner == entry.name
      }
      let mine = sidecars.filter { own($0.name) }
      return Database(
        file: entry.file,
        wals: mine.filter { $0.kind == .wal }.map(\.file),
        journals: mine.filter { $0.kind == .journal }.map(\.file),
        olderCopies: older.filter { own($0.name) && $0.name != entry.name }.map(\.file)
      )
    }
    self.others = others.sorted()
    self.folder = folder
  }

  private static func isOlderCopy(_ name: String) -> Bool {
    name.contains(".pre-") || name.contains(".corrupt.") || name.hasSuffix(".corrupt")
  }

  /// The database whose name a sidecar's begins with, the longest one; `nil` where none does, and
  /// then every database looks whether it is its own.
  private static func owner(of name: String, among databases: [String]) -> String? {
    databases.filter { name.hasPrefix($0) || name.hasPrefix(stem($0) + ".") }
      .max { $0.count < $1.count }
  }

  private static func stem(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Folders below this depth hold no attachments of any app known.
  private static let depthLimit = 8

  private static func files(
    below path: String,
    _ names: [String],
    as relative: String,
    depth: Int
  ) -> [String] {
    var found: [String] = []
    for name in names {
      let inner = path + "/" + name
      if let below = Self.names(in: inner) {
        if depth < depthLimit {
          found += files(below: inner, below, as: relative + "/" + name, depth: depth + 1)
        }
      } else {
        found.append(relative + "/" + name)
      }
    }
    return found
  }

  /// The names in a folder, sorted; `nil` where it is not one.
  private static func names(in path: String, links: EvidenceFile.Links = .refuse) -> [String]? {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (links == .refuse ? O_NOFOLLOW : 0)
    let descriptor = unsafe Glibc.open(path, flags)
    guard descriptor >= 0 else { return nil }
    guard let directory = unsafe fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
