import RasdModel
import RasdPipeline

/// `rasdkit digest`: one line that names a store's content.
struct DigestCommand: Command {
  static let spec = CommandSpec(
    name: "digest",
    purpose: "one line that names a store's content",
    synopsis: ["--store DIR [OPTION…]"],
    about: """
      Prints the SHA-256 that two stores share exactly when they hold the same observations, \
      blobs and pins, however these came to them.
      """,
    operands: .none,
    groups: [Options.storeKeys, Options.briefSpeech],
    examples: [
      ("name a store's content", "digest --store district.store"),
      ("from a script", "digest --store district.store --store-key-file store.key"),
    ],
    statuses: [.storeDamaged, .noStore, .storeLocked, .noKey, .newer]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let job = DigestJob(store: try arguments.storePlace())
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      DigestText(digest: try job.run(run))
    }
  }
}
