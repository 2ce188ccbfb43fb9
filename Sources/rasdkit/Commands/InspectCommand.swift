import Glibc
import RasdModel
import RasdPipeline

/// `rasdkit inspect`: what is this, what does it hold.
struct InspectCommand: Command {
  static let spec = CommandSpec(
    name: "inspect",
    purpose: "what is this, what does it hold; only an encrypted database needs its key",
    synopsis: ["[OPTION…] FILE|DIR…"],
    about: """
      Says what a file or folder is by its content, and all that can be told without a key: of \
      an export its id, namespace, tables, sizes and key slots; of a store its id and slots; \
      of a device's database its cipher, its tables with their rows, what lies beside it, and \
      whether it is healthy; where it is encrypted, with its key. Nothing it says of an export is \
      proved: verify does that.
      """,
    operands: .some("FILE"),
    groups: [
      OptionGroup(
        "Keys of a database",
        [
          Options.keyFile, Options.passphraseFile, Options.passphraseFD, Options.keyRing,
          SalvageCommand.namespace,
        ]
      ),
      Options.briefSpeech,
    ],
    examples: [
      ("look at an export", "inspect u_4821.rasdx"),
      ("a device's database, for a program", "inspect --json --key-file device.key device.db"),
    ],
    statuses: [.incomplete, .nothing]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let job = InspectJob(
      paths: arguments.operands,
      keys: try arguments.sourceKeys(),
      namespace: try arguments.namespace(SalvageCommand.namespace),
      workers: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    )
    let (things, failures) = job.run()
    let text = InspectText(things: things)
    if arguments.has(Options.json) {
      console.print(text.members)
    } else {
      console.print(text.text(console.output))
    }
    let errors = failures + things.compactMap(\.error)
    for error in errors { console.fail(error) }
    guard let first = errors.first else { return .success }
    return errors.count < things.count + failures.count ? .incomplete : ExitStatus(of: first)
  }
}
