import RasdModel
import RasdPipeline
import RasdReport

/// What files and folders are: a name and value a line.
struct InspectText: Presentable {
  let things: [InspectJob.Inspected]

  func text(_ terminal: Terminal) -> String {
    things.map { thing in
      let lines = thing.facts.list.map { fact in
        "  \(fact.name): \(fact.name == "next" ? Self.command(fact.value) : Self.words(fact.value))\n"
      }
      let title = terminal.paint(SafeText.escape(thing.path), .heading)
      return "\(title): \(thing.kind)\n" + lines.joined()
    }.joined()
  }

  /// A command as it can be pasted.
  private static func command(_ words: JSONValue) -> String {
    guard case .array(let items) = words else { return self.words(words) }
    return items.map { ShellWord.quote(self.words($0)) }.joined(separator: " ") + " --to DIR"
  }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): SafeText.escape(text)
    case .array(let items): items.map(words).joined(separator: ", ")
    case .object(let members):
      members.map { "\(SafeText.escape($0.name)) \(words($0.value))" }.joined(separator: ", ")
    default: String(decoding: value.text, as: UTF8.self)
    }
  }

  var members: Members {
    var members = Members()
    members.add("things", each: things.map(Self.members))
    return members
  }

  private static func members(_ thing: InspectJob.Inspected) -> Members {
    var members = Members()
    members.add("path", thing.path)
    members.add("kind", thing.kind)
    for fact in thing.facts.list { members.add(fact.name, fact.value) }
    members.add("code", thing.error?.code.rawValue)
    members.add("reason", thing.error?.reason.rawValue)
    return members
  }
}
