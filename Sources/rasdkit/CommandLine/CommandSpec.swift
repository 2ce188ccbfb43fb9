import RasdPipeline

/// Everything a command takes, from which parsing, help and suggestions are made.
struct CommandSpec: Sendable {
  let name: String
  /// What it does, in a few words, for the list of commands.
  let purpose: String
  /// What follows the command's name.
  let synopsis: [String]
  /// What a person must know to use it, in sentences.
  let about: String
  let operands: Operands
  let groups: [OptionGroup]
  /// What each example does, and its command line without the tool's name.
  let examples: [(does: String, line: String)]
  /// The exit statuses it can end with, apart from 0, 2 and 70.
  let statuses: [ExitStatus]

  var options: [Option] { groups.flatMap(\.options) }
}

/// What a command takes beside its options.
struct Operands: Sendable {
  /// What one is, as in `SOURCE`; nil where there is none.
  let name: String?
  let least: Int
  let most: Int

  static let none = Operands(name: nil, least: 0, most: 0)

  static func one(_ name: String) -> Operands { Operands(name: name, least: 1, most: 1) }

  static func some(_ name: String) -> Operands { Operands(name: name, least: 1, most: .max) }

  static func any(_ name: String) -> Operands { Operands(name: name, least: 0, most: .max) }
}

/// Options that belong together, under one heading of the help.
struct OptionGroup: Sendable {
  let title: String
  let options: [Option]

  init(_ title: String, _ options: [Option]) {
    self.title = title
    self.options = options
  }
}

/// One command of rasdkit: its specification, and what it does with arguments that fit it.
protocol Command: Sendable {
  static var spec: CommandSpec { get }
  /// Does what the words after the command's name ask for.
  static func run(_ words: ArraySlice<String>, _ console: Console) throws -> ExitStatus
  /// The same, once they are proved to fit the specification.
  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus
}

extension Command {
  static func run(_ words: ArraySlice<String>, _ console: Console) throws -> ExitStatus {
    let parser = ArgumentParser(spec: spec)
    let arguments = try parser.parse(words)
    try parser.checkOperands(arguments)
    return try run(arguments, console)
  }

  /// Only commands that read their words themselves leave this out.
  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus { .defect }
}
