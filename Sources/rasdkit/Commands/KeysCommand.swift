import RasdModel
import RasdPipeline
import RasdReport

/// `rasdkit keys`: make an identity; the key slots of a store.
struct KeysCommand: Command {
  static let to = Option.place("--to", "FILE", "identity: where the private key goes")
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
      "list --store DIR [OPTION…]",
      "add --store DIR [OPTION…]",
      "remove --store DIR [OPTION…] SLOT",
    ],
    about: """
      identity makes a private key, and beside it FILE.pub, the public key to hand to devices. \
      The others list a store's slots, add some (for the keys that --to-recipient, \
      --to-passphrase-file or --to-key-file name, or a recovery secret) or remove one by its \
      number; the last is never removed.
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

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    switch arguments.operands[0] {
    case "identity": try makeIdentity(arguments, console)
    case "list", "add", "remove": try changeSlots(arguments, console)
    case let action:
      throw UsageError(
        "keys can't '\(SafeText.escape(action))'",
        hint: "it is one of identity, list, add, remove"
      )
    }
  }

  private static func makeIdentity(
    _ arguments: Arguments,
    _ console: Console
  ) throws -> ExitStatus {
    let job = IdentityJob(
      path: try arguments.required(to),
      curve: arguments.value(curve).flatMap(IdentityJob.Curve.init) ?? .x25519,
      overwriting: arguments.overwriting
    )
    let made = try job.run()
    if arguments.has(Options.json) {
      var members = Members()
      members.add("private", made.privatePath)
      members.add("public", made.publicPath)
      members.add("kid", made.kid)
      console.print(members)
    } else {
      console.print(
        """
        private key  \(SafeText.escape(made.privatePath))
        public key   \(SafeText.escape(made.publicPath))
        fingerprint  \(made.kid)

        """
      )
    }
    return .success
  }

  private static func changeSlots(
    _ arguments: Arguments,
    _ console: Console
  ) throws -> ExitStatus {
    let job = StoreKeysJob(store: try arguments.storePlace())
    let session = Session(Self.self, arguments, console)
    switch (arguments.operands[0], arguments.operands.dropFirst().first) {
    case ("add", nil):
      let recipients = try arguments.recipients()
      let secret = arguments.has(recovery) ? try RecoverySecret(console) : nil
      guard !recipients.isEmpty || secret != nil else {
        throw UsageError(
          "add: no key is given",
          hint: "give --to-recipient, --to-passphrase-file, --to-key-file or --recovery"
        )
      }
      let status = try session.run { (run) throws(RasdError) in
        SlotsText(slots: try job.add(recipients, recovery: secret?.key, run))
      }
      if status == .success { secret?.show() }
      return status
    case ("remove", let number?):
      guard let number = Int(number) else {
        throw UsageError("remove: '\(SafeText.escape(number))' is not a slot's number")
      }
      return try session.run { (run) throws(RasdError) in
        SlotsText(slots: try job.remove(number, run))
      }
    case ("list", nil):
      return try session.run { (_) throws(RasdError) in SlotsText(slots: try job.list()) }
    case ("remove", nil):
      throw UsageError("remove: SLOT is missing", hint: "rasdkit keys list shows their numbers")
    default:
      throw UsageError("'\(SafeText.escape(arguments.operands[1]))' is more than it takes")
    }
  }
}
