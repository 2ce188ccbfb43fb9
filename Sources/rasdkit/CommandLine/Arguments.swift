import RasdModel

/// What stood on a command line, already proved to fit the command's specification.
struct Arguments: Sendable {
  var operands: [String] = []
  /// SHA-256 of the recipe that some of these came from.
  var recipe: SHA256Digest?
  private var given: [String: [String]] = [:]

  mutating func add(_ name: String, _ value: String) {
    given[name, default: []].append(value)
  }

  func has(_ option: Option) -> Bool { given[option.name] != nil }

  /// The value of an option that stands at most once; nil where it was not given.
  func value(_ option: Option) -> String? { given[option.name]?.last }

  func values(_ option: Option) -> [String] { given[option.name] ?? [] }

  /// The value of a number option, which parsing has already proved to be one.
  func number(_ option: Option) -> Int? { value(option).flatMap { Int($0) } }

  /// The value of an option that the command can't do without.
  func required(_ option: Option) throws(UsageError) -> String {
    guard let value = value(option) else {
      throw UsageError("\(option.form) is missing")
    }
    return value
  }

  /// These arguments where they say something, those of `base` where they don't.
  func over(_ base: Arguments) -> Arguments {
    var both = self
    both.given.merge(base.given) { mine, _ in mine }
    both.recipe = base.recipe
    if operands.isEmpty { both.operands = base.operands }
    return both
  }
}

/// A command line that can't be understood, with what the person may have meant.
struct UsageError: Error, Equatable {
  let problem: String
  var hint: String?

  init(_ problem: String, hint: String? = nil) {
    self.problem = problem
    self.hint = hint
  }
}
