import RasdContainer
import RasdCrypto
package import RasdModel
package import RasdReport
import RasdStore

/// Says what files and folders are and what can be told of them: of exports and stores without a
/// key, of an encrypted database with its key.
package struct InspectJob: Sendable {
  private let paths: [String]
  private let keys: KeyInputs
  private let namespace: Namespace?
  private let workers: Int

  package init(paths: [String], keys: KeyInputs, namespace: Namespace?, workers: Int) {
    (self.paths, self.keys, self.namespace, self.workers) = (paths, keys, namespace, workers)
  }

  /// What one file or folder is.
  package struct Inspected: Sendable {
    package let path: String
    package let kind: String
    /// All that can be told, in the order in which it is shown.
    package let facts: Members
    /// What is wrong with it, as far as that can be told without a key.
    package let error: RasdError?
  }

  /// Things in the order given, those of a folder by path; then what could not be looked at.
  package func run() -> (things: [Inspected], failures: [RasdError]) {
    let (credentials, failures) = keys.read()
    let finder = SourceFinder(paths)
    let things = (finder.sources + finder.databases).map { inspect($0, credentials) }
    return (things, failures + finder.failures)
  }

  private func inspect(_ source: FoundSource, _ credentials: Credentials) -> Inspected {
    let isDatabase =
      source.kind == .database || source.kind == .unknown && DeviceSource.isPossible(source.path)
    if isDatabase {
      return DeviceInspection(credentials, namespace, workers: workers).inspect(source)
    }
    return Self.inspect(source)
  }

  private static func inspect(_ source: FoundSource) -> Inspected {
    var facts = Members()
    do throws(RasdError) {
      switch source.kind {
      case .export: try add(export: source.path, to: &facts)
      case .store: try add(store: source.path, to: &facts)
      case .bundle, .database, .standardInput, .unknown: facts.add("bytes", source.bytes)
      }
      return Inspected(path: source.path, kind: source.kind.name, facts: facts, error: nil)
    } catch {
      facts.add("bytes", source.bytes)
      var error = error
      error.details["path"] = .text(source.path)
      return Inspected(path: source.path, kind: source.kind.name, facts: facts, error: error)
    }
  }

  private static func add(export path: String, to facts: inout Members) throws(RasdError) {
    let file = try ExportFile(path: path)
    let manifest = file.manifest
    facts.add("exportId", manifest.exportID.text)
    facts.add("namespace", manifest.namespace.text)
    facts.add("exportedAt", manifest.exportedAt)
    facts.add("storageVersion", Int(manifest.storageVersion))
    facts.add("suite", manifest.suite.rawValue)
    facts.add("encryptedTo", manifest.encryptedTo)
    facts.add("tables", manifest.tables.map(\.text))
    facts.add("slots", manifest.slots.map(\.words))
    facts.add("entries", file.entries.count)
    facts.add("bytes", file.source.size)
    facts.add("manifestSha256", manifest.digest.hex)
  }

  private static func add(store path: String, to facts: inout Members) throws(RasdError) {
    let (id, slots) = try Store.slots(at: path)
    facts.add("storeId", id.text)
    facts.add("slots", slots.map(\.words))
  }
}

extension FoundSource.Kind {
  package var name: String {
    switch self {
    case .export: "export"
    case .bundle: "bundle"
    case .database: "database"
    case .store: "store"
    case .standardInput: "stream"
    case .unknown: "unknown, or an encrypted database"
    }
  }
}

extension KeySlot {
  /// A slot as people and programs read it: its type, and what tells its key from others.
  var words: String {
    switch self {
    case .passphrase(let slot): "pbkdf2-sha256 \(slot.iterations)"
    case .key(let slot): "key \(slot.kid)"
    case .hpke(let slot): "hpke \(slot.kem == .x25519 ? "x25519" : "p-256") \(slot.kid)"
    case .unknown(let type): "unknown \(type)"
    }
  }
}
