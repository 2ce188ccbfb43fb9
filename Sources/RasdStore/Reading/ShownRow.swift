internal import RasdMerge
internal import RasdModel

/// A row as a reader sees it: what a lease left behind is undone (the merge rules, §Order of
/// observations), all else stands as delivered.
enum ShownRow {
  /// The text to show; nil where it is the text as delivered.
  static func text(_ text: [UInt8], _ facts: RowFacts) -> [UInt8]? {
    switch facts {
    case .submission(let facts) where facts.status.shown != facts.status:
      return replacing(status: facts.status.shown.rawValue, in: text)
    case .attachment(let facts) where facts.status.shown != facts.status:
      return replacing(status: facts.status.shown.rawValue, in: text)
    case .outbox(let facts) where facts.status.shown != facts.status:
      return withoutLease(text, facts.status.shown.rawValue)
    default: return nil
    }
  }

  private static func replacing(status: String, in text: [UInt8]) -> [UInt8] {
    var tape = JSONTape()
    let span = text.span
    guard (try? tape.parse(span)) != nil, let member = tape.member("status", of: 0, in: span)
    else { return text }
    var shown = text
    shown.replaceSubrange(tape.range(of: member), with: "\"\(status)\"".utf8)
    return shown
  }

  private static func withoutLease(_ text: [UInt8], _ status: String) -> [UInt8] {
    guard let members = (try? JSONValue.parse(text))?.members else { return text }
    let kept = members.filter { $0.name != "leasedUntil" }.map { member in
      member.name == "status" ? JSONValue.Member("status", .string(status)) : member
    }
    var shown: [UInt8] = []
    JSONValue.object(kept).write(to: &shown)
    return shown
  }

  /// The text with the namespace of a table whose rows are told apart by it.
  static func text(_ text: [UInt8], namespace: String?) -> [UInt8] {
    guard let open = text.firstIndex(of: UInt8(ascii: "{")) else { return text }
    let isEmpty = text[(open + 1)...].first { $0 > 0x20 } == UInt8(ascii: "}")
    let value = namespace.map { "\"\($0)\"" } ?? "null"
    var tape = JSONTape()
    let span = text.span
    let isTaken =
      (try? tape.parse(span)) != nil && tape.member("namespace", of: 0, in: span) != nil
    // A host's own member of that name stays; ours steps aside.
    let name = isTaken ? "rasdkitNamespace" : "namespace"
    var shown = Array(text[...open])
    shown.append(contentsOf: "\"\(name)\":\(value)\(isEmpty ? "" : ",")".utf8)
    shown.append(contentsOf: text[(open + 1)...])
    return shown
  }
}
