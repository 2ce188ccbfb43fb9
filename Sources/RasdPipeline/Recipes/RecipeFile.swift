import Glibc
import RasdCrypto
package import RasdModel
import RasdReport

/// A recipe read from its file.
package struct RecipeFile: Sendable {
  package let recipe: Recipe
  /// SHA-256 of the file's bytes, which the report names.
  package let digest: SHA256Digest

  package init(path: String) throws(RasdError) {
    let bytes = try SmallFile.read(path)
    digest = SHA256.digest(bytes.span)
    let json: JSONValue
    do {
      json = try JSONValue.parse(bytes)
    } catch {
      throw RasdError(
        .unavailable,
        .recipeInvalid,
        [
          "path": .text(path), "fault": .text(error.fault.rawValue),
          "offset": .number(Int64(error.offset)),
        ]
      )
    }
    do {
      recipe = try Recipe(json, folder: Self.folder(of: path))
    } catch {
      var named = error
      named.details["path"] = .text(path)
      throw named
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// Files that a person writes by hand: recipes, key rings.
enum SmallFile {
  /// A recipe is a page; a key ring of 10,000 devices 2 MB.
  private static let limit = 8 << 20

  static func read(_ path: String) throws(RasdError) -> [UInt8] {
    let (kind, size) = try PathFacts.target(path)
    guard kind == .file else {
      throw RasdError(.unavailable, .notARegularFile, ["path": .text(path)])
    }
    guard size <= limit else {
      throw RasdError(
        .unavailable,
        .recipeInvalid,
        ["path": .text(path), "limit": .number(Int64(limit))]
      )
    }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .system(errno, path: path) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = unsafe pread(file, &bytes, size, 0)
    guard count >= 0 else { throw .system(errno, path: path) }
    return Array(bytes.prefix(count))
  }
}
