import RasdModel
import RasdPipeline

/// `rasdkit sources`: what a store was made of, and taking a source out again.
struct SourcesCommand: Command {
  static let spec = CommandSpec(
    name: "sources",
    purpose: "list the sources of a store; exclude, include or purge one",
    synopsis: [
      "list --store DIR [OPTION…]", "exclude|include ID… --store DIR [OPTION…]",
      "purge --store DIR [OPTION…]",
    ],
    about: """
      Lists the exports and stores that a store was made of. exclude takes all that only those \
      sources delivered out of what is seen, include puts it back, purge deletes what was \
      excluded for good. The store takes an excluded source no more until it is included. ID is an export's id, or enough of its beginning.
      """,
    operands: .some("ACTION"),
    groups: [Options.storeKeys, OptionGroup("What is done", [Options.dryRun]), Options.speech],
    examples: [
      ("what a store was made of", "sources list --store district.store"),
      ("take one export out again", "sources exclude 0199a7c2 --store district.store"),
    ],
    statuses: [
      .incomplete, .nothing, .storeDamaged, .noStore, .storeLocked, .noKey, .noSpace, .newer,
    ]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let word = arguments.operands[0]
    guard let action = SourcesJob.Action(rawValue: word) else {
      throw UsageError(
        "sources can't '\(SafeText.escape(word))'",
        hint: "it is one of list, exclude, include, purge"
      )
    }
    let ids = Array(arguments.operands.dropFirst())
    switch action {
    case .exclude, .include:
      if ids.isEmpty { throw UsageError("\(action.rawValue): ID is missing") }
    case .list, .purge:
      if let extra = ids.first {
        throw UsageError("\(action.rawValue) takes no '\(SafeText.escape(extra))'")
      }
    }
    let job = SourcesJob(store: try arguments.storePlace(), action: action, ids: ids)
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      SourcesText(result: try job.run(run))
    }
  }
}
