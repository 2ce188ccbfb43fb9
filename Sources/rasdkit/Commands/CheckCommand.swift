import RasdModel
import RasdPipeline

/// `rasdkit check`: every page, row hash and blob of a store.
struct CheckCommand: Command {
  static let spec = CommandSpec(
    name: "check",
    purpose: "every page, row hash and blob of a store",
    synopsis: ["--store DIR [OPTION…]"],
    about: """
      Reads all of a store and proves it again: every page of the database against its HMAC, \
      every row against its hash, every blob against its SHA-256, and that what a reader sees is \
      what the merge rules say. Changes nothing.
      """,
    operands: .none,
    groups: [Options.storeKeys, Options.speech],
    examples: [
      ("check a store", "check --store district.store"),
      ("from a script", "check --store district.store --store-key-file store.key --json"),
    ],
    statuses: [.incomplete, .storeDamaged, .noStore, .storeLocked, .noKey, .newer]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let job = CheckJob(store: try arguments.storePlace())
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      CheckText(receipt: try job.run(run))
    }
  }
}
