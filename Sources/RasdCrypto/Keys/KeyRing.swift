package import RasdModel

/// Which key a namespace's exports open with.
///
/// `{"keys":[{"namespace":"example.*","passphraseFile":"…"},
/// {"namespace":"example.u_1","keyFile":"…","bind":true}]}`. Paths are relative to
/// the ring.
package struct KeyRing: Sendable {
  package struct Entry: Sendable {
    package let pattern: NamespacePattern
    package let file: File
    /// An export of the namespace that opens with other keys only is refused.
    package let binds: Bool
  }

  package enum File: Hashable, Sendable {
    case passphrase(String)
    case key(String)
    case identity(String)

    package var path: String {
      switch self {
      case .passphrase(let path), .key(let path), .identity(let path): path
      }
    }
  }

  package let entries: [Entry]

  /// Some 10,000 entries.
  static let sizeLimit = 4 << 20

  package init(path: String) throws(RasdError) {
    let json: [UInt8]
    do throws(KeyFault) {
      json = try KeyFile.contents(of: path, limit: Self.sizeLimit)
    } catch {
      throw error.error(at: path, expected: .keyRing)
    }
    do throws(Fault) {
      try self.init(json, directory: Self.directory(of: path))
    } catch {
      var fault = KeyFault(KeyNature(of: json.span)).error(at: path, expected: .keyRing)
      switch error {
      case .json(let offset): fault.details["offset"] = .number(Int64(offset))
      case .members: break
      case .entry(let index): fault.details["entry"] = .number(Int64(index))
      }
      throw fault
    }
  }

  /// `directory`, empty or ending with a slash, is where relative paths begin.
  init(_ json: [UInt8], directory: String) throws(Fault) {
    let value: JSONValue
    do { value = try JSONValue.parse(json) } catch { throw .json(offset: error.offset) }
    guard value.members?.count == 1, let items = value["keys"]?.array else { throw .members }
    var entries: [Entry] = []
    for (index, item) in items.enumerated() {
      guard let entry = Entry(item, directory: directory) else { throw .entry(index) }
      entries.append(entry)
    }
    self.entries = entries
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  enum Fault: Error, Hashable {
    case json(offset: Int)
    /// Something else than one list of keys.
    case members
    /// The entry that breaks the rules, counted from 0.
    case entry(Int)
  }
}

extension KeyRing.Entry {
  fileprivate init?(_ json: JSONValue, directory: String) {
    guard let members = json.members, let name = json["namespace"]?.string,
      let pattern = NamespacePattern(name)
    else { return nil }
    let place = { (path: String) in path.hasPrefix("/") ? path : directory + path }
    var files: [KeyRing.File] = []
    var binds = false
    for member in members {
      switch (member.name, member.value) {
      case ("namespace", _): break
      case ("passphraseFile", .string(let path)): files.append(.passphrase(place(path)))
      case ("keyFile", .string(let path)): files.append(.key(place(path)))
      case ("identityFile", .string(let path)): files.append(.identity(place(path)))
      case ("bind", .bool(let flag)): binds = flag
      default: return nil
      }
    }
    guard files.count == 1 else { return nil }
    // Anyone can seal to a public key: it says nothing about who wrote.
    if binds, case .identity = files[0] { return nil }
    self.init(pattern: pattern, file: files[0], binds: binds)
  }
}

/// A namespace, or with a `*` at its end all that begin so.
package struct NamespacePattern: Hashable, Sendable {
  private let prefix: String
  private let isPrefix: Bool

  package init?(_ text: String) {
    isPrefix = text.hasSuffix("*")
    prefix = isPrefix ? String(text.dropLast()) : text
    guard isPrefix && prefix.isEmpty || Namespace(prefix) != nil else { return nil }
  }

  package func matches(_ namespace: String) -> Bool {
    isPrefix ? namespace.hasPrefix(prefix) : namespace == prefix
  }

  /// Higher is more specific: whole names first, then longer beginnings.
  var specificity: Int { isPrefix ? prefix.utf8.count : .max }
}
