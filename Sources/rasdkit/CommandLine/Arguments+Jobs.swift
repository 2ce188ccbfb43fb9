import RasdModel
import RasdPipeline

/// What jobs take, out of what was given.
extension Arguments {
  /// Keys that open sources.
  func sourceKeys() throws(UsageError) -> KeyInputs {
    var keys = KeyInputs()
    keys.passphraseFiles = values(Options.passphraseFile)
    keys.passphraseDescriptors = try descriptors(Options.passphraseFD)
    keys.keyFiles = values(Options.keyFile)
    keys.identities = values(Options.identity)
    keys.keyRing = value(Options.keyRing)
    return keys
  }

  /// Keys that open the store.
  func storeKeys() throws(UsageError) -> KeyInputs {
    var keys = KeyInputs()
    keys.passphraseFiles = values(Options.storePassphraseFile)
    keys.passphraseDescriptors = try descriptors(Options.storePassphraseFD)
    keys.keyFiles = values(Options.storeKeyFile)
    keys.identities = values(Options.storeIdentity)
    return keys
  }

  func storePlace() throws(UsageError) -> StorePlace {
    StorePlace(path: try required(Options.store), keys: try storeKeys())
  }

  /// Who can open what is written.
  func recipients() throws(UsageError) -> RecipientInputs {
    var inputs = RecipientInputs()
    inputs.publicKeys = values(Options.toRecipient)
    inputs.passphraseFiles = values(Options.toPassphraseFile)
    inputs.keyFiles = values(Options.toKeyFile)
    inputs.plaintext = has(Options.toPlaintext)
    return inputs
  }

  /// The namespace that an option names; nil where it was not given.
  func namespace(_ option: Option) throws(UsageError) -> Namespace? {
    guard let name = value(option) else { return nil }
    guard let namespace = Namespace(name) else {
      throw UsageError("\(option.name): '\(SafeText.escape(name))' is no namespace")
    }
    return namespace
  }

  var overwriting: Overwriting { has(Options.force) ? .allowed : .refused }

  private func descriptors(_ option: Option) throws(UsageError) -> [Int32] {
    var numbers: [Int32] = []
    for value in values(option) {
      guard let number = Int32(value), number >= 0 else {
        throw UsageError("\(option.form): '\(value)' is not a file descriptor")
      }
      numbers.append(number)
    }
    return numbers
  }
}
