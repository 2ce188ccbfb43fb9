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
}
