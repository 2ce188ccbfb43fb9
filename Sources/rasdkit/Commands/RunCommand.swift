import RasdModel
import RasdPipeline

/// `rasdkit run`: a command line in a file.
struct RunCommand: Command {
  static let spec = CommandSpec(
    name: "run",
    purpose: "what a recipe says: a command line in a file",
    synopsis: ["RECIPE.json [OPTION…] [SOURCE…]"],
    about: """
      Runs the command that a recipe names, with the sources, policy, keys and outputs it names; \
      Docs/recipe.schema.json says what may stand in one. Its relative paths are relative to the \
      recipe. Options and sources given here win over the recipe's: any that its command takes, \
      after the recipe's name.
      """,
    operands: .some("RECIPE"),
    groups: [],
    examples: [
      ("consolidate as the recipe says", "run Recipes/consolidate-enumerators.json"),
      (
        "the same into another store",
        "run Recipes/consolidate-enumerators.json --store other.store"
      ),
    ],
    statuses: ExitStatus.allCases.filter { ![.success, .usage, .defect].contains($0) }
  )

  static func run(_ words: ArraySlice<String>, _ console: Console) throws -> ExitStatus {
    guard let path = words.first, !path.hasPrefix("-") else {
      throw UsageError("RECIPE is missing", hint: "rasdkit run --help says what it takes")
    }
    let file = try RecipeFile(path: path)
    let command = try Dispatch.command(named: file.recipe.command)
    let parser = ArgumentParser(spec: command.spec)
    let base = try arguments(of: file.recipe, parser, path: path)
    var arguments = try parser.parse(words.dropFirst()).over(base)
    arguments.recipe = file.digest
    try parser.checkOperands(arguments)
    return try command.run(arguments, console)
  }

  /// The recipe's options, proved to be some that its command takes.
  private static func arguments(
    of recipe: Recipe,
    _ parser: ArgumentParser,
    path: String
  ) throws(UsageError) -> Arguments {
    let words = recipe.options.map { option in
      option.value.isEmpty ? option.name : "\(option.name)=\(option.value)"
    }
    do throws(UsageError) {
      return try parser.parse(words + ["--"] + recipe.operands)
    } catch {
      throw UsageError("\(SafeText.escape(path)): \(error.problem)", hint: error.hint)
    }
  }
}
