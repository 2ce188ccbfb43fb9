import RasdModel
import RasdPipeline
import RasdReport

/// `rasdkit verify`: proves exports whole and changes nothing.
struct VerifyCommand: Command {
  static let spec = CommandSpec(
    name: "verify",
    purpose: "prove exports whole; change nothing",
    synopsis: ["[OPTION…] EXPORT…"],
    about: """
      Proves that nothing in an export was altered, cut or left out: container, seals, parts, \
      counts, hashes, and the checksum of every row. EXPORT is an .rasdx file, a folder of them, \
      a bundle (.zip, .tar, .tar.gz, .tar.zst), or - for standard input.
      """,
    operands: .some("EXPORT"),
    groups: [Options.sourceKeys, Options.speech],
    examples: [
      ("prove every export in a folder", "verify --identity supervisor.pem exports/"),
      (
        "prove one and keep the report",
        "verify --passphrase-file pass.txt --report verify.jsonl u_4821.rasdx"
      ),
    ],
    statuses: [.incomplete, .nothing, .noKey, .newer, .interrupted, .terminated]
  )

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let job = VerifyJob(
      sources: arguments.operands,
      keys: try arguments.sourceKeys(),
      allowPlaintext: arguments.has(Options.allowPlaintext)
    )
    return try Session(Self.self, arguments, console).run { (run) throws(RasdError) in
      let proved = try job.run(run)
      return VerifyText(proved: proved, refused: run.sources.refused)
    }
  }
}
