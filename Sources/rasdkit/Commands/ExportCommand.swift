import RasdModel
import RasdPipeline

/// `rasdkit export`: `.rasdx` or JSONL out of a store.
struct ExportCommand: Command {
  static let format = Option.choice(
    "--format",
    ["rasdx", "jsonl"],
    "rasdx seals one file, jsonl writes a folder in the clear"
  )

  static let spec = CommandSpec(
    name: "export",
    purpose: ".rasdx or JSONL out of a store",
    synopsis: ["--store DIR --to PATH [OPTION…]"],
    about: """
      Writes what a reader sees in a store. A whole .rasdx export of a store carries every \
      observation and merges into another store without loss; one with --for-device or filters \
      carries what is seen, and says so. JSONL is plaintext: asking for it permits that.
      """,
    operands: .none,
    groups: [
      Options.storeKeys,
      OptionGroup("What is written", [Options.to, format, Options.force, Options.dryRun]),
      Options.recipients, Options.filters, Options.speech,
    ],
    examples: [
      (
        "the whole store, sealed for the head office",
        "export --store district.store --to district.rasdx --to-recipient head.pub.pem"
      ),
      (
        "one form's rows as JSON lines",
        "export --store district.store --to out/ --format jsonl --form household"
      ),
    ],
    statuses: [
      .incomplete, .nothing, .storeDamaged, .noStore, .storeLocked, .noKey, .noSpace,
      .interrupted, .terminated,
    ]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    var options = ExportJob.Options()
    options.format = arguments.value(format).flatMap(ExportJob.Format.init) ?? .rasdx
    options.recipients = try arguments.recipients()
    options.selection = try selection(arguments)
    options.overwriting = arguments.overwriting
    let job = ExportJob(
      store: try arguments.storePlace(),
      to: try arguments.required(Options.to),
      options: options
    )
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      WrittenText(written: try job.run(run))
    }
  }

  private static func selection(_ arguments: Arguments) throws(UsageError) -> ExportSelection {
    var selection = ExportSelection()
    selection.device = try arguments.namespace(Options.forDevice)
    selection.forms = arguments.values(Options.form)
    selection.statuses = arguments.values(Options.status)
    for status in selection.statuses where SubmissionStatus(rawValue: status) == nil {
      throw UsageError(
        "--status: '\(SafeText.escape(status))' is no status",
        hint: Suggestion.nearest(status, among: SubmissionStatus.allCases.map(\.rawValue))
          .map { "did you mean \($0)?" }
      )
    }
    if let time = arguments.value(Options.since) {
      guard let instant = Instant(time) else {
        throw UsageError(
          "--since: '\(SafeText.escape(time))' is no time",
          hint: "as in 2026-09-01T00:00:00Z"
        )
      }
      (selection.since, selection.sinceText) = (instant, time)
    }
    if let list = arguments.value(Options.tables) {
      selection.tables = []
      for name in list.split(separator: ",") {
        guard let table = TableName(name) else {
          throw UsageError("--tables: '\(SafeText.escape(String(name)))' is no table")
        }
        selection.tables?.append(table)
      }
    }
    selection.takesBlobs = !arguments.has(Options.noBlobs)
    return selection
  }
}
