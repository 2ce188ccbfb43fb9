import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// Who can open what is written.
package struct RecipientInputs: Sendable {
  package var publicKeys: [String] = []
  package var passphraseFiles: [String] = []
  package var keyFiles: [String] = []
  /// Nobody needs a key: it is not sealed.
  package var plaintext = false

  package init() {}

  package var isEmpty: Bool {
    publicKeys.isEmpty && passphraseFiles.isEmpty && keyFiles.isEmpty
  }

  /// Reads every key; one that can't be used stops the run, since what is written could not be
  /// opened by whom it is for.
  func load(_ run: Run) throws(RasdError) -> [ExportRecipient] {
    var recipients: [ExportRecipient] = []
    for path in publicKeys { recipients.append(.publicKey(try KeyFile.recipient(path))) }
    var credentials = Credentials()
    for path in passphraseFiles { try credentials.addPassphraseFile(path) }
    for path in keyFiles { try credentials.addKeyFile(path) }
    for path in credentials.exposed { try run.find(exposed: path) }
    recipients += credentials.candidates(for: nil).map { ExportRecipient($0.key) }
    return recipients
  }
}

extension ExportRecipient {
  /// Whoever holds a key: for a private key, its public half.
  init(_ key: Credentials.Key) {
    switch key {
    case .passphrase(let passphrase): self = .passphrase(passphrase)
    case .rawKey(let key): self = .rawKey(key)
    case .identity(let identity): self = .publicKey(identity.recipient)
    }
  }
}

extension Run {
  func find(exposed path: String) throws(RasdError) {
    try find(FindingEvent(.warning, .keyFileExposed, subject: ["path": .text(path)]))
  }
}
