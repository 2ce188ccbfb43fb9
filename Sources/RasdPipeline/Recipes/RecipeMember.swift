/// A member of a recipe, the option it stands for and what its value is.
///
/// `--force` has none on purpose: overwriting takes a person.
struct RecipeMember: Sendable {
  enum Kind: Sendable {
    case flag, text, path
    /// A name, or a path where it ends in `.json`.
    case nameOrPath
    /// An array, an option each.
    case texts, paths
    /// An array, joined by commas in one option.
    case list
    /// An object of paths, each `NAME=PATH` in an option of its own.
    case namedPaths
  }

  let option: String
  let kind: Kind

  init(_ option: String, _ kind: Kind) {
    self.option = option
    self.kind = kind
  }

  static let top: [String: RecipeMember] = [
    "store": .init("--store", .path),
    "to": .init("--to", .path),
    "into": .init("--into", .path),
    "report": .init("--report", .path),
    "dryRun": .init("--dry-run", .flag),
    "strict": .init("--strict", .flag),
  ]

  static let groups: [String: [String: RecipeMember]] = [
    "policy": [
      "org": .init("--org", .text),
      "mode": .init("--mode", .text),
      "onConflict": .init("--on-conflict", .text),
      "takeDamaged": .init("--take-damaged", .flag),
      "allowPlaintext": .init("--allow-plaintext", .flag),
      "strictForms": .init("--strict-forms", .flag),
      "hostAssets": .init("--host-assets", .flag),
      "namespace": .init("--namespace", .text),
      "format": .init("--format", .text),
      "receipt": .init("--receipt", .path),
      "rows": .init("--rows", .text),
      "profile": .init("--profile", .nameOrPath),
      "include": .init("--include", .list),
    ],
    "keys": [
      "passphraseFiles": .init("--passphrase-file", .paths),
      "keyFiles": .init("--key-file", .paths),
      "identities": .init("--identity", .paths),
      "keyRing": .init("--key-ring", .path),
      "fieldKeys": .init("--field-key", .namedPaths),
    ],
    "storeKeys": [
      "passphraseFile": .init("--store-passphrase-file", .path),
      "keyFile": .init("--store-key-file", .path),
      "identity": .init("--store-identity", .path),
    ],
    "recipients": [
      "publicKeys": .init("--to-recipient", .paths),
      "passphraseFiles": .init("--to-passphrase-file", .paths),
      "keyFiles": .init("--to-key-file", .paths),
      "plaintext": .init("--to-plaintext", .flag),
    ],
    "filters": [
      "forDevice": .init("--for-device", .text),
      "forms": .init("--form", .texts),
      "statuses": .init("--status", .texts),
      "since": .init("--since", .text),
      "tables": .init("--tables", .list),
      "noBlobs": .init("--no-blobs", .flag),
    ],
  ]
}
