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
}
