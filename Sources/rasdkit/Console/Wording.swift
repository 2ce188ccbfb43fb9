import RasdModel

/// Why something failed and what to do about it, in words, for each reason.
struct Wording {
  let why: String
  /// What the person can do; nil where nothing helps.
  let action: String?

  static func of(_ reason: Reason) -> Wording {
    table[reason]
      ?? Wording(why: reason.rawValue.split(separator: "-").joined(separator: " "), action: nil)
  }

  private init(why: String, action: String?) {
    self.why = why
    self.action = action
  }

  private init(_ why: String, _ action: String? = nil) {
    self.init(why: why, action: action)
  }

  static let table: [Reason: Wording] = [
    // Keys
    .wrongKey: Wording(
      "none of the keys given opens it, though a slot for their kind is there",
      "check the passphrase or key and give the right one"
    ),
    .noMatchingSlot: Wording(
      "it has no key slot for the kinds of key given",
      "rasdkit inspect lists its slots; give a key for one of them"
    ),
    .kdfLimits: Wording(
      "its passphrase slot asks for a key derivation outside the limits",
      "open it with another of its keys"
    ),
    .keyFileInvalid: Wording("this is not a key file of that kind"),
    .noKeyGiven: Wording(
      "it is sealed and no key was given",
      "give --passphrase-file, --key-file, --identity or --key-ring"
    ),
    .saltLost: Wording(
      "a passphrase is of no use because the salt of its first page is lost",
      "give --salt from another copy, or the raw key"
    ),

    // Containers
    .empty: Wording("the file is empty", "copy it again from where it came"),
    .notAnExport: Wording("this is not an export", "rasdkit inspect says what it is"),
    .truncated: Wording(
      "the file ends too early",
      "copy it again; rasdkit salvage gets out what is there"
    ),
    .unsafeContainer: Wording(
      "its container breaks a rule that keeps readers safe",
      "do not use it as it is"
    ),
    .manifestInvalid: Wording(
      "its manifest breaks the format's rules",
      "rasdkit salvage gets out what is there"
    ),
    .manifestAltered: Wording(
      "its manifest was changed after sealing",
      "rasdkit salvage gets out what is there"
    ),
    .unsupportedVersion: Wording(
      "it was made by a newer version",
      "update rasdkit"
    ),
    .plaintextRefused: Wording(
      "it is not encrypted",
      "if that is as it should be, give --allow-plaintext"
    ),
    .entryDamaged: Wording(
      "part of it is damaged",
      "copy it again; rasdkit salvage gets out what is there"
    ),
    .entryMissing: Wording(
      "part of it is missing",
      "copy it again; rasdkit salvage gets out what is there"
    ),
    .countMismatch: Wording(
      "its counts disagree with what it holds",
      "rasdkit salvage gets out what is there"
    ),
    .totalHashMismatch: Wording(
      "its total hash disagrees with what it holds",
      "rasdkit salvage gets out what is there"
    ),
    .partOrder: Wording(
      "its parts do not follow each other",
      "rasdkit salvage gets out what is there"
    ),

    // Rows and blobs
    .rowInvalid: Wording("a row breaks the rules of its table"),
    .rowChecksumMismatch: Wording("a row is not what its checksum says"),
    .blobHashMismatch: Wording("a blob is not what its row says"),
    .definitionHashConflict: Wording("one published form version has two definitions"),
  ]
}
