import RasdModel
import RasdPipeline

/// `rasdkit inspect`: what is this, what does it hold.
struct InspectCommand: Command {
  static let spec = CommandSpec(
    name: "inspect",
    purpose: "what is this, what does it hold; needs no key",
    synopsis: ["[OPTION…] FILE|DIR…"],
    about: """
      Says what a file or folder is by its content, and all that can be told without a key: of \
      an export its id, namespace, tables, sizes and key slots; of a store its version and slots; \
      of a database its format. Nothing it says is proved: verify does that.
      """,
    operands: .some("FILE"),
    groups: [Options.briefSpeech],
    examples: [
      ("look at an export", "inspect u_4821.rasdx"),
      ("the same for a program", "inspect --json exports/"),
    ],
    statuses: [.incomplete, .nothing]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let (things, failures) = InspectJob(paths: arguments.operands).run()
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
