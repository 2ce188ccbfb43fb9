import RasdModel

/// Reads the words of a command line against a command's specification.
///
/// Options and operands may be mixed; `--name=value` and `--name value` are the same;
/// after `--` everything is an operand; `-` is an operand (standard input).
struct ArgumentParser {
  let spec: CommandSpec

  func parse(_ words: some Sequence<String>) throws(UsageError) -> Arguments {
    var arguments = Arguments()
    var rest = Array(words)[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        arguments.operands.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else {
        try take(word, &rest, into: &arguments)
      }
    }
    return arguments
  }

  /// Refuses a number of operands that the command does not take.
  func checkOperands(_ arguments: Arguments) throws(UsageError) {
    let operands = spec.operands
    if arguments.operands.count > operands.most {
      let extra = SafeText.escape(arguments.operands[operands.most])
      throw UsageError("'\(extra)' is more than \(spec.name) takes", hint: helpHint)
    }
    if arguments.operands.count < operands.least, let name = operands.name {
      throw UsageError("\(name) is missing", hint: helpHint)
    }
  }

  private func take(
    _ word: String,
    _ rest: inout ArraySlice<String>,
    into arguments: inout Arguments
  ) throws(UsageError) {
    let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(halves[0])
    guard let option = spec.options.first(where: { $0.name == name }) else {
      throw unknown(name)
    }
    if case .once = option.times, arguments.has(option) {
      throw UsageError("\(name) is given twice", hint: helpHint)
    }
    if case .nothing = option.value {
      guard halves.count == 1 else { throw UsageError("\(name) takes no value", hint: helpHint) }
      arguments.add(name, "")
      return
    }
    guard let value = halves.count == 2 ? String(halves[1]) : rest.popFirst() else {
      throw UsageError("\(option.form): its value is missing", hint: helpHint)
    }
    try check(value, of: option)
    arguments.add(name, value)
  }

  /// Refuses a value that the option can't have.
  func check(_ value: String, of option: Option) throws(UsageError) {
    switch option.value {
    case .choice(let choices) where !choices.contains(value):
      let shown = SafeText.escape(value)
      throw UsageError(
        "\(option.name) is one of \(choices.joined(separator: ", ")), not '\(shown)'",
        hint: Suggestion.nearest(value, among: choices).map { "did you mean \($0)?" }
      )
    case .place where value == "-":
      throw UsageError(
        "\(option.form): it can't be written to standard output",
        hint: "give a path; ./- is a file of that name"
      )
    case .number where Int(value).map({ $0 < 0 }) ?? true:
      throw UsageError("\(option.form): '\(SafeText.escape(value))' is not a number")
    case .number where option.name == Options.jobs.name && Int(value) == 0:
      throw UsageError("\(option.form): at least one thread works")
    default:
      break
    }
  }

  private func unknown(_ name: String) -> UsageError {
    let nearest = Suggestion.nearest(name, among: spec.options.map(\.name))
    return UsageError(
      "\(spec.name) has no option '\(SafeText.escape(name))'",
      hint: nearest.map { "did you mean \($0)?" } ?? helpHint
    )
  }

  private var helpHint: String { "rasdkit \(spec.name) --help says what it takes" }
}
