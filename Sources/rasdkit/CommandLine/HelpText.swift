import RasdPipeline

/// The help of a command and of the tool, made from the specifications.
enum HelpText {
  /// Where option descriptions begin; longer options put theirs on the next line.
  private static let column = 30
  /// Fits a terminal of 80 columns, and a page of documentation.
  private static let width = 80

  static func of(_ spec: CommandSpec) -> String {
    var lines = spec.synopsis.map { "rasdkit \(spec.name) \($0)" }
    lines.append("")
    lines += wrap(spec.about, width)
    for group in spec.groups where !group.options.isEmpty {
      lines += ["", "\(group.title):"]
      for option in group.options { lines += entry(option.form, option.help) }
    }
    lines += ["", "Examples:"]
    for example in spec.examples {
      lines += ["  # \(example.does)", "  rasdkit \(example.line)"]
    }
    lines += ["", "Exit status:"]
    for status in ([.success] + spec.statuses + [.usage, .defect]).sorted() {
      lines += entry("\(status.rawValue)", status.meaning, column: 8)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func overview(_ specs: [CommandSpec]) -> String {
    var lines = ["rasdkit COMMAND [OPTION…]", ""]
    lines += wrap(
      "Proves, merges and recovers the data that Rasd form devices export or leave behind.",
      width
    )
    lines += ["", "Commands:"]
    for spec in specs { lines += entry(spec.name, spec.purpose, column: 16) }
    lines += ["", "Options:"]
    lines += entry("--help", "this text; after a command, all about that command", column: 16)
    lines += entry("--version", "versions of the tool and of the libraries it uses", column: 16)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ left: String, _ right: String, column: Int = column) -> [String] {
    var lines = wrap(right, width - column).map { String(repeating: " ", count: column) + $0 }
    let head = "  \(left)"
    if head.count < column - 1, let first = lines.first {
      lines[0] = head + first.dropFirst(head.count)
    } else {
      lines.insert(head, at: 0)
    }
    return lines
  }

  private static func wrap(_ text: String, _ width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
      var lines = [""]
      for word in paragraph.split(separator: " ") {
        let line = lines[lines.count - 1]
        if line.isEmpty {
          lines[lines.count - 1] = String(word)
        } else if line.count + 1 + word.count <= width {
          lines[lines.count - 1] = "\(line) \(word)"
        } else {
          lines.append(String(word))
        }
      }
      return lines
    }
  }
}
