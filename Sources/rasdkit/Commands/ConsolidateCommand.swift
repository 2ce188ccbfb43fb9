import RasdMerge
import RasdModel
import RasdPipeline

/// `rasdkit consolidate`: verify, merge, report.
struct ConsolidateCommand: Command {
  static let org = Option.one(
    "--org",
    "NAME",
    "the organisation a new store is for; else taken from its sources"
  )
  static let mode = Option.choice(
    "--mode",
    ["merge", "replace"],
    "replace retracts the earlier sources of a namespace"
  )
  static let onConflict = Option.choice(
    "--on-conflict",
    ["keep-higher-rev", "keep-local", "keep-import"],
    "which version is seen where revisions tie; the first is the default"
  )
  static let takeDamaged = Option.flag(
    "--take-damaged",
    "merge the rows of a damaged export that verify on their own"
  )
  static let namespace = Option.one(
    "--namespace",
    "NAME",
    "whose data a device database is"
  )
  static let hostAssets = Option.flag(
    "--host-assets",
    "merge a host's own assets (base maps) too"
  )
  static let strictForms = Option.flag(
    "--strict-forms",
    "reject a form whose definition hash is wrong"
  )

  static let spec = CommandSpec(
    name: "consolidate",
    purpose: "verify, merge, report",
    synopsis: ["--store DIR [OPTION…] SOURCE…"],
    about: """
      Proves each source and merges what is proved into one encrypted store, which is made where \
      there is none. The order of sources never matters; a source that was merged before changes \
      nothing; one that is damaged is refused and the rest goes on. SOURCE is an .rasdx file, a \
      folder of them, a bundle, another store, a device's database, or - for standard input.
      """,
    operands: .some("SOURCE"),
    groups: [
      Options.storeKeys, Options.sourceKeys,
      OptionGroup(
        "What may enter, and how",
        [org, mode, onConflict, takeDamaged, namespace, hostAssets, strictForms, Options.dryRun]
      ),
      Options.speech,
    ],
    examples: [
      (
        "merge a folder of exports, each opened with the supervisor's key",
        "consolidate --store district.store --identity supervisor.pem exports/"
      ),
      (
        "the same from a script, with a report",
        "consolidate --store all.store --store-key-file store.key --key-ring ring.json "
          + "--report run.jsonl in/"
      ),
    ],
    statuses: [
      .incomplete, .nothing, .storeDamaged, .storeLocked, .noKey, .noSpace, .newer, .interrupted,
      .terminated,
    ]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let job = ConsolidateJob(
      sources: arguments.operands,
      keys: try arguments.sourceKeys(),
      store: try arguments.storePlace(),
      options: try options(arguments)
    )
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      ConsolidateText(consolidation: try job.run(run))
    }
  }

  private static func options(
    _ arguments: Arguments
  ) throws(UsageError) -> ConsolidateJob.Options {
    var options = ConsolidateJob.Options()
    options.org = arguments.value(org)
    options.replaces = arguments.value(mode) == "replace"
    options.onConflict =
      arguments.value(onConflict).flatMap(ConflictPolicy.init) ?? options.onConflict
    options.takesDamaged = arguments.has(takeDamaged)
    options.takesHostAssets = arguments.has(hostAssets)
    options.strictForms = arguments.has(strictForms)
    options.allowsPlaintext = arguments.has(Options.allowPlaintext)
    options.namespace = try arguments.namespace(namespace)
    return options
  }
}
