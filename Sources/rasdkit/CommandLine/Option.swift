/// One option of a command: what it is called, what it takes and what it is for.
struct Option: Sendable {
  /// What stands after the name.
  enum Value: Sendable {
    case nothing
    /// Any text; the placeholder says what, as in `FILE`.
    case text(String)
    /// A path where something is to be written, which `-` is none.
    case place(String)
    case choice([String])
    case number(String)
  }

  /// Whether the option may be given again.
  enum Times: Sendable { case once, each }

  /// With its dashes, as it is written.
  let name: String
  let value: Value
  let times: Times
  let help: String

  /// An option that is there or not.
  static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, value: .nothing, times: .once, help: help)
  }

  static func one(_ name: String, _ placeholder: String, _ help: String) -> Option {
    Option(name: name, value: .text(placeholder), times: .once, help: help)
  }

  /// Where something is written.
  static func place(_ name: String, _ placeholder: String, _ help: String) -> Option {
    Option(name: name, value: .place(placeholder), times: .once, help: help)
  }

  static func each(_ name: String, _ placeholder: String, _ help: String) -> Option {
    Option(name: name, value: .text(placeholder), times: .each, help: help)
  }

  static func choice(_ name: String, _ choices: [String], _ help: String) -> Option {
    Option(name: name, value: .choice(choices), times: .once, help: help)
  }

  static func number(_ name: String, _ placeholder: String, _ help: String) -> Option {
    Option(name: name, value: .number(placeholder), times: .once, help: help)
  }

  /// The name with what it takes, as help shows it: `--store DIR`.
  var form: String {
    switch value {
    case .nothing: name
    case .text(let placeholder), .place(let placeholder), .number(let placeholder):
      "\(name) \(placeholder)"
    case .choice(let choices): "\(name) \(choices.joined(separator: "|"))"
    }
  }
}
