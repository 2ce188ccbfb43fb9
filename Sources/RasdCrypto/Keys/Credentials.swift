package import RasdModel

/// Every key a person gave, in the order given.
package struct Credentials: Sendable {
  package enum Key: Sendable {
    case passphrase(Passphrase)
    case rawKey(RawKey)
    case identity(Identity)
  }

  /// A key and where it came from.
  package struct Candidate: Sendable {
    package let key: Key
    /// A path, `fd N` or `prompt`.
    package let source: String
    /// Comes from a key ring's entry that binds its namespace.
    package let isBound: Bool
  }

  private struct RingEntry: Sendable {
    let pattern: NamespacePattern
    let candidate: Candidate
  }

  private var general: [Candidate] = []
  /// Most specific first.
  private var ring: [RingEntry] = []

  /// Files that hold a secret and that others can read.
  package private(set) var exposed: [String] = []
  /// What is wrong with files that a key ring names; the rest of the ring is in use.
  package private(set) var problems: [RasdError] = []

  package init() {}

  package var isEmpty: Bool { general.isEmpty && ring.isEmpty }

  /// Adds a key that is tried on everything.
  package mutating func add(_ key: Key, source: String) {
    general.append(Candidate(key: key, source: source, isBound: false))
  }

  package mutating func addPassphraseFile(_ path: String) throws(RasdError) {
    add(try load(.passphrase(path)), source: path)
  }

  package mutating func addKeyFile(_ path: String) throws(RasdError) {
    add(try load(.key(path)), source: path)
  }

  package mutating func addIdentityFile(_ path: String) throws(RasdError) {
    add(try load(.identity(path)), source: path)
  }

  package mutating func addPassphrase(descriptor: Int32) throws(RasdError) {
    add(.passphrase(try KeyFile.passphrase(descriptor: descriptor)), source: "fd \(descriptor)")
  }

  /// Adds the keys of a ring; files of it that can't be used are `problems`.
  package mutating func addKeyRing(_ path: String) throws(RasdError) {
    for entry in try KeyRing(path: path).entries {
      do throws(RasdError) {
        let candidate = Candidate(
          key: try load(entry.file),
          source: entry.file.path,
          isBound: entry.binds
        )
        ring.append(RingEntry(pattern: entry.pattern, candidate: candidate))
      } catch {
        problems.append(error)
      }
    }
    // Stable: of two as specific ones the earlier is tried first.
    ring = ring.enumerated().sorted {
      ($1.element.pattern.specificity, $0.offset) < ($0.element.pattern.specificity, $1.offset)
    }.map(\.element)
  }

  private mutating func load(_ file: KeyRing.File) throws(RasdError) -> Key {
    let (key, read): (Key, KeyFile)
    switch file {
    case .passphrase(let path):
      let (passphrase, file) = try KeyFile.passphrase(path)
      (key, read) = (.passphrase(passphrase), file)
    case .key(let path):
      let (rawKey, file) = try KeyFile.rawKey(path)
      (key, read) = (.rawKey(rawKey), file)
    case .identity(let path):
      let (identity, file) = try KeyFile.identity(path)
      (key, read) = (.identity(identity), file)
    }
    if read.isReadableByOthers, !exposed.contains(read.path) { exposed.append(read.path) }
    return key
  }

  // MARK: - Use

  /// The keys to try on what a namespace wrote.
  ///
  /// Those a ring has for it, the most specific first, then those given on their own; without a
  /// namespace, those first and then the whole ring.
  package func candidates(for namespace: String?) -> [Candidate] {
    guard let namespace else { return general + ring.map(\.candidate) }
    return ring.filter { $0.pattern.matches(namespace) }.map(\.candidate) + general
  }

  package func passphrases(for namespace: String?) -> [Passphrase] {
    candidates(for: namespace).compactMap {
      if case .passphrase(let passphrase) = $0.key { passphrase } else { nil }
    }
  }

  package func rawKeys(for namespace: String?) -> [RawKey] {
    candidates(for: namespace).compactMap {
      if case .rawKey(let key) = $0.key { key } else { nil }
    }
  }

  /// Whether a ring binds the namespace to keys of its own.
  package func binds(_ namespace: String) -> Bool {
    ring.contains { $0.candidate.isBound && $0.pattern.matches(namespace) }
  }
}
