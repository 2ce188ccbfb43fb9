import RasdCrypto
import RasdModel
import RasdReport

/// Where keys come from: files, descriptors and rings, never an argument.
package struct KeyInputs: Sendable {
  package var passphraseFiles: [String] = []
  package var passphraseDescriptors: [Int32] = []
  package var keyFiles: [String] = []
  package var identities: [String] = []
  package var keyRing: String?

  package init() {}

  package var isEmpty: Bool {
    passphraseFiles.isEmpty && passphraseDescriptors.isEmpty && keyFiles.isEmpty
      && identities.isEmpty && keyRing == nil
  }

  /// Reads every key; each that can't be used is a finding, and the others go on.
  func load(_ run: Run) throws(RasdError) -> Credentials {
    try report(read(), run)
  }

  /// The same for one thing that all the keys are for: what is wrong with the only one is all there
  /// is to say, and is thrown.
  func loadAny(_ run: Run) throws(RasdError) -> Credentials {
    let keys = read()
    if keys.0.isEmpty, let failure = keys.failures.first { throw failure }
    return try report(keys, run)
  }

  private func report(
    _ keys: (Credentials, failures: [RasdError]),
    _ run: Run
  ) throws(RasdError) -> Credentials {
    let (credentials, failures) = keys
    for failure in failures { try run.find(failure) }
    for path in credentials.exposed { try run.find(exposed: path) }
    return credentials
  }

  /// Reads every key, and says which can't be used.
  func read() -> (Credentials, failures: [RasdError]) {
    var credentials = Credentials()
    var failures: [RasdError] = []
    func attempt(_ add: (inout Credentials) throws(RasdError) -> Void) {
      do throws(RasdError) { try add(&credentials) } catch { failures.append(error) }
    }
    for path in passphraseFiles {
      attempt { (keys) throws(RasdError) in try keys.addPassphraseFile(path) }
    }
    for number in passphraseDescriptors {
      attempt { (keys) throws(RasdError) in try keys.addPassphrase(descriptor: number) }
    }
    for path in keyFiles { attempt { (keys) throws(RasdError) in try keys.addKeyFile(path) } }
    for path in identities {
      attempt { (keys) throws(RasdError) in try keys.addIdentityFile(path) }
    }
    if let keyRing { attempt { (keys) throws(RasdError) in try keys.addKeyRing(keyRing) } }
    return (credentials, failures + credentials.problems)
  }
}

/// What a person is asked for when no key was given any other way.
package enum KeyQuestion: Sendable {
  case sources
  case store(path: String)
  /// Asked twice: a mistyped passphrase would lock the new store for ever.
  case newStore(path: String)
}
