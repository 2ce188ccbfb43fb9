import Glibc
package import RasdModel
import RasdReport
import RasdSalvage

/// One thing to read, found but not yet opened.
package struct FoundSource: Sendable {
  package enum Kind: Sendable { case export, bundle, database, store, standardInput, unknown }

  /// As it is shown: the path given, or that path and what was found under it.
  package let path: String
  package let kind: Kind
  package let bytes: Int
}

/// Finds what the paths a person gave lead to: files told by their content, folders searched
/// to any depth, stores, standard input.
package struct SourceFinder {
  package private(set) var sources: [FoundSource] = []
  /// What could not be looked at, or is nothing that can be read.
  package private(set) var failures: [RasdError] = []
  /// Devices' databases that stand in folders, without their sidecars and older copies.
  package private(set) var databases: [FoundSource] = []
  /// What stands in folders and is no export, or no file: links are not followed.
  package private(set) var ignored: [String] = []

  package init(_ paths: [String]) {
    for path in paths { add(path) }
  }

  /// Bytes of all that was found; nothing is known of standard input.
  package var bytes: Int { sources.reduce(0) { $0 + $1.bytes } }

  private mutating func add(_ path: String) {
    guard path != "-" else {
      sources.append(FoundSource(path: "-", kind: .standardInput, bytes: 0))
      return
    }
    do throws(RasdError) {
      let (kind, bytes) = try PathFacts.target(path)
      switch kind {
      case .file: try addFile(path, bytes)
      case .folder where Self.isStore(path):
        sources.append(FoundSource(path: path, kind: .store, bytes: bytes))
      case .folder: addFolder(path)
      case .other: throw RasdError(.unavailable, .notARegularFile, ["path": .text(path)])
      }
    } catch {
      failures.append(error)
    }
  }

  /// A file that was named is read as what it is, or refused.
  private mutating func addFile(_ path: String, _ bytes: Int) throws(RasdError) {
    let kind: FoundSource.Kind
    switch try FileKind.of(path: path) {
    case .export, .empty: kind = .export
    case .bundle: kind = .bundle
    case .database: kind = .database
    // Perhaps an encrypted database, which has no mark.
    case .unknown: kind = .unknown
    }
    sources.append(FoundSource(path: path, kind: kind, bytes: bytes))
  }

  /// In a folder exports and databases are looked for; the rest is counted.
  private mutating func addFolder(_ path: String) {
    let walk = FolderWalk(path)
    failures += walk.failures
    ignored += walk.others
    var found = 0
    var candidates: [String] = []
    for file in walk.files {
      do throws(RasdError) {
        let kind = try FileKind.of(path: file)
        if kind == .export {
          let bytes = try PathFacts.target(file).bytes
          sources.append(FoundSource(path: file, kind: .export, bytes: bytes))
          found += 1
        } else {
          ignored.append(file)
          if Self.isDatabase(file, kind) { candidates.append(file) }
        }
      } catch {
        failures.append(error)
      }
    }
    let before = databases.count
    addDatabases(candidates)
    if found + databases.count - before == 0, walk.failures.isEmpty {
      failures.append(RasdError(.unavailable, .nothingFound, ["path": .text(path)]))
    }
  }

  /// Whether a file in a folder is a database by its mark or, encrypted, by its name and bytes.
  private static func isDatabase(_ path: String, _ kind: FileKind) -> Bool {
    guard kind != .database else { return true }
    let name = path.lowercased()
    return kind == .unknown
      && [".db", ".sqlite", ".sqlite3", ".db3"].contains { name.hasSuffix($0) }
      && DeviceSource.isPossible(path)
  }

  /// Whether what was passed over may well be a bundle of exports, or lead to an export.
  static func isNamedLikeSource(_ path: String) -> Bool {
    guard !FileKind.isExportName(path) else { return true }
    let name = path.lowercased()
    return [".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst"].contains { name.hasSuffix($0) }
  }

  /// Takes those of the candidates that are no older copies, each with what belongs to it.
  private mutating func addDatabases(_ candidates: [String]) {
    var evidence: [String: Evidence] = [:]
    for path in candidates {
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      evidence[folder] = evidence[folder] ?? (try? Evidence(path: folder))
      for database in evidence[folder]?.databases ?? [] where database.file.path == path {
        let bytes = Int(clamping: database.file.size)
        databases.append(FoundSource(path: path, kind: .database, bytes: bytes))
        let own = Set(database.files.map(\.path) + [path + "-shm"])
        ignored.removeAll { own.contains($0) }
      }
    }
  }

  /// A store is a folder with a database and key slots.
  static func isStore(_ path: String) -> Bool {
    ["store.db", "keys.json", "keys.copy.json"].contains {
      unsafe access("\(path)/\($0)", F_OK) == 0
    }
  }
}
