package import RasdModel

/// What was given as a key is something else.
package struct KeyFault: Error, Hashable, Sendable {
  package let nature: KeyNature

  package init(_ nature: KeyNature) { self.nature = nature }

  /// The error for a person: what was found where, and what should have been there.
  package func error(at path: String, expected: KeyNature.Expected) -> RasdError {
    RasdError(
      .keyUnavailable,
      .keyFileInvalid,
      [
        "path": .text(path),
        "found": .text(nature.rawValue),
        "expected": .text(expected.rawValue),
      ]
    )
  }
}

extension KeyNature {
  /// What a file was given for.
  package enum Expected: String, Sendable, CaseIterable {
    case passphrase
    case rawKey = "raw-key"
    case identity = "private-key"
    case recipient = "public-key"
    case keyRing = "key-ring"

    /// Completes "… was expected" for a person.
    package var phrase: String {
      switch self {
      case .passphrase: "a passphrase"
      case .rawKey: "a raw key in hexadecimal"
      case .identity: "a private key (PEM)"
      case .recipient: "a public key (PEM)"
      case .keyRing: "a key ring"
      }
    }
  }
}
