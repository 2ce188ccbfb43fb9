import Glibc
package import RasdModel
import RasdReport

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
  /// Files in folders that are no export and do not call themselves one.
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

  /// In a folder only exports are looked for; the rest is counted.
  private mutating func addFolder(_ path: String) {
    let walk = FolderWalk(path)
    failures += walk.failures
    var found = 0
    for file in walk.files {
      do throws(RasdError) {
        if try FileKind.of(path: file) == .export {
          let bytes = try PathFacts.target(file).bytes
          sources.append(FoundSource(path: file, kind: .export, bytes: bytes))
          found += 1
        } else {
          ignored.append(file)
        }
      } catch {
        failures.append(error)
      }
    }
    if found == 0, walk.failures.isEmpty {
      failures.append(RasdError(.unavailable, .nothingFound, ["path": .text(path)]))
    }
  }

  /// A store is a folder with a database and key slots.
  static func isStore(_ path: String) -> Bool {
    ["store.db", "keys.json", "keys.copy.json"].contains {
      unsafe access("\(path)/\($0)", F_OK) == 0
    }
  }
}
