import Glibc
import RasdModel
import RasdPipeline

/// Finds the command that the first word names, and turns whatever it throws into one line
/// and an exit status.
struct Dispatch {
  static let commands: [any Command.Type] = [
    VerifyCommand.self, ConsolidateCommand.self, SalvageCommand.self, MigrateCommand.self,
    ExportCommand.self,
    InspectCommand.self, CheckCommand.self, SourcesCommand.self, KeysCommand.self,
    DigestCommand.self, RunCommand.self,
  ]

  let console: Console

  func run(_ words: ArraySlice<String>) -> ExitStatus {
    do {
      return try start(words)
    } catch let error as UsageError {
      console.fail(error)
      return .usage
    } catch let error as RasdError {
      console.fail(error)
      return ExitStatus(of: error)
    } catch {
      console.defect("\(error)")
      return .defect
    }
  }

  private func start(_ words: ArraySlice<String>) throws -> ExitStatus {
    try Self.requireText()
    guard let first = words.first else {
      throw UsageError("a command is missing", hint: "rasdkit --help lists them")
    }
    switch first {
    case "--help", "-h", "help":
      console.print(HelpText.overview(Self.commands.map { $0.spec }))
      return .success
    case "--version":
      console.print(Versions.text)
      return .success
    default:
      let command = try Self.command(named: first)
      return try run(command, words.dropFirst())
    }
  }

  private func run(_ command: any Command.Type, _ words: ArraySlice<String>) throws -> ExitStatus {
    if words.contains("--help") || words.contains("-h") {
      console.print(HelpText.of(command.spec))
      return .success
    }
    return try command.run(words, console)
  }

  /// Refuses words that are not UTF-8: as text they would name something else.
  private static func requireText() throws(UsageError) {
    for i in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe CommandLine.unsafeArgv[i] else { continue }
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
      guard String(validating: bytes, as: UTF8.self) == nil else { continue }
      throw UsageError(
        "'\(SafeText.escape(bytes: bytes.span))' is not UTF-8",
        hint: "rename it to read or write under that name"
      )
    }
  }

  static func command(named name: String) throws(UsageError) -> any Command.Type {
    if let command = commands.first(where: { $0.spec.name == name }) { return command }
    let nearest = Suggestion.nearest(name, among: commands.map { $0.spec.name })
    throw UsageError(
      "there is no command '\(SafeText.escape(name))'",
      hint: nearest.map { "did you mean rasdkit \($0)?" } ?? "rasdkit --help lists the commands"
    )
  }
}
