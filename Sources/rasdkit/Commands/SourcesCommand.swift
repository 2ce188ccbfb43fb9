import RasdPipeline

/// `rasdkit sources`: what a store was made of, and taking a source out again.
struct SourcesCommand: Command {
  static let spec = CommandSpec(
    name: "sources",
    purpose: "list the sources of a store; exclude, include or purge one",
    synopsis: ["--store DIR [OPTION…] list", "--store DIR [OPTION…] exclude|include|purge ID…"],
    about: """
      Lists the exports and stores that a store was made of. exclude takes all that only those \
      sources delivered out of what is seen, include puts it back, purge deletes what was \
      excluded for good. ID is an export's id, or enough of its beginning.
      """,
    operands: .some("ACTION"),
    groups: [Options.storeKeys, OptionGroup("What is done", [Options.dryRun]), Options.speech],
    examples: [
      ("what a store was made of", "sources --store district.store list"),
      ("take one export out again", "sources --store district.store exclude 0199a7c2"),
    ],
    statuses: [.nothing, .storeDamaged, .noStore, .storeLocked, .noKey, .noSpace, .newer]
  )
}
