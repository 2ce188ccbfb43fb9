import RasdPipeline

/// `rasdkit keys`: make an identity; the key slots of a store.
struct KeysCommand: Command {
  static let to = Option.one("--to", "FILE", "identity: where the private key goes")
  static let curve = Option.choice(
    "--curve",
    ["x25519", "p-256"],
    "identity: p-256 for devices that lack X25519"
  )
  static let recovery = Option.flag(
    "--recovery",
    "add: a slot whose secret is made here and shown once, on the terminal"
  )
  static let spec = CommandSpec(
    name: "keys",
    purpose: "make an identity; list, add and remove slots of a store",
    synopsis: [
      "identity --to FILE [--curve x25519|p-256]",
      "list --store DIR", "add --store DIR [--recovery] [--to-…]", "remove --store DIR SLOT",
    ],
    about: """
      identity makes a private key, and beside it FILE.pub, the public key to hand to devices. \
      The others list a store's slots, add one (for the keys that --to-recipient, \
      --to-passphrase-file or --to-key-file name, or a recovery secret) or remove one; the last \
      is never removed.
      """,
    operands: .some("ACTION"),
    groups: [
      OptionGroup("What is made", [to, curve, recovery, Options.force]),
      OptionGroup(
        "Who can open the store from now on",
        [Options.toRecipient, Options.toPassphraseFile, Options.toKeyFile]
      ),
      Options.storeKeys, Options.briefSpeech,
    ],
    examples: [
      ("a key pair for a supervisor", "keys identity --to supervisor.pem"),
      ("a slot for the day the key is lost", "keys add --store district.store --recovery"),
    ],
    statuses: [.nothing, .storeDamaged, .noStore, .storeLocked, .noKey, .noSpace, .newer]
  )
}
