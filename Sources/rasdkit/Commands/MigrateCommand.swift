import RasdModel
import RasdPipeline

/// `rasdkit migrate`: a replaced device's data, sealed for the new one.
struct MigrateCommand: Command {
  static let namespace = Option.one(
    "--namespace",
    "NAME",
    "the new device's namespace, if it is another"
  )
  static let receipt = Option.place(
    "--receipt",
    "FILE",
    "where the receipt goes; beside the export if not given"
  )

  static let spec = CommandSpec(
    name: "migrate",
    purpose: "a replaced device's data, sealed for the new one",
    synopsis: ["SOURCE --to FILE.rasdx [OPTION…]"],
    about: """
      Proves one source whole and seals the same rows and blobs, none changed, for other keys. \
      The receipt lists every row and blob by hash, as they were read back out of the file \
      written: only with it in hand should the old device be wiped.
      """,
    operands: .one("SOURCE"),
    groups: [
      Options.sourceKeys, Options.recipients,
      OptionGroup(
        "What is written",
        [Options.to, namespace, receipt, Options.force, Options.dryRun]
      ),
      Options.speech,
    ],
    examples: [
      (
        "seal an old tablet's export for the key of the new one",
        "migrate old.rasdx --identity supervisor.pem --to new.rasdx --to-recipient tablet.pub.pem"
      ),
      (
        "the same under the namespace of its new user",
        "migrate old.rasdx --key-file old.key --to new.rasdx --to-key-file new.key "
          + "--namespace org.u_5000"
      ),
    ],
    statuses: [.incomplete, .nothing, .noKey, .noSpace, .newer, .interrupted, .terminated]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    var options = MigrateJob.Options()
    options.recipients = try arguments.recipients()
    options.namespace = try arguments.namespace(namespace)
    options.receipt = arguments.value(receipt)
    options.allowsPlaintext = arguments.has(Options.allowPlaintext)
    options.overwriting = arguments.overwriting
    let job = MigrateJob(
      source: arguments.operands[0],
      keys: try arguments.sourceKeys(),
      to: try arguments.required(Options.to),
      options: options
    )
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      MigrateText(migrated: try job.run(run))
    }
  }
}
