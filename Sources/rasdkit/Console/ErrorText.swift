import RasdCrypto
import RasdModel
import RasdStore

/// The one place where an error becomes a sentence: which thing, why, what to do, and the
/// code and reason in brackets.
enum ErrorText {
  static func line(_ error: RasdError) -> String {
    line(code: error.code, reason: error.reason, details: error.details)
  }

  /// The line of an error or, without a code, of something that only deserves a look.
  static func line(
    code: StorageCode?,
    reason: Reason,
    details: [String: RasdError.Detail],
    advises: Bool = true
  ) -> String {
    var details = details
    let wording =
      takeKeyFile(reason, &details) ?? takeLostBlob(reason, &details)
      ?? takeWholeCopy(reason, &details) ?? Wording.of(reason)
    var text = wording.why
    if let subject = details["path"].map(show) {
      text = "\(subject.isEmpty ? "''" : subject): \(text)"
    }
    let place = place(details)
    if !place.isEmpty { text += " (\(place.joined(separator: ", ")))" }
    if advises, let action = wording.action { text += "; \(filled(action, details["path"]))" }
    let brackets = [code?.rawValue, reason.rawValue].compactMap { $0 }
    return "\(text) [\(brackets.joined(separator: " "))]"
  }

  /// The action with the thing's path in it, so that a command in it can be pasted.
  private static func filled(_ action: String, _ path: RasdError.Detail?) -> String {
    action.split(separator: "{path}", omittingEmptySubsequences: false)
      .joined(separator: path.map { ShellWord.quote(show($0)) } ?? "PATH")
  }

  /// Says what a file that was given as a key is, in place of the two words for it.
  private static func takeKeyFile(
    _ reason: Reason,
    _ details: inout [String: RasdError.Detail]
  ) -> Wording? {
    guard reason == .keyFileInvalid, case .text(let found)? = details["found"],
      case .text(let expected)? = details["expected"], let found = KeyNature(rawValue: found),
      let expected = KeyNature.Expected(rawValue: expected)
    else { return nil }
    details["found"] = nil
    details["expected"] = nil
    let hasMark = found == .byteOrderMark || found == .utf16
    return Wording(
      "this is \(found.phrase), and \(expected.phrase) was expected",
      hasMark ? "save it as UTF-8 without a byte order mark" : "give the right file"
    )
  }

  /// Says that a store can have a blob back, which is not all that may be wrong with one.
  private static func takeLostBlob(
    _ reason: Reason,
    _ details: inout [String: RasdError.Detail]
  ) -> Wording? {
    guard reason == .storeDamaged, details["kind"] == .text(StoreFault.Kind.blob.rawValue) else {
      return nil
    }
    details["kind"] = nil
    return Wording(
      "a blob that it holds is lost or damaged",
      details["broughtBy"] == nil
        ? nil : "consolidate one of the sources that brought it again, and it is back"
    )
  }

  /// Says that of a damaged copy nothing is to be got out.
  private static func takeWholeCopy(
    _ reason: Reason,
    _ details: inout [String: RasdError.Detail]
  ) -> Wording? {
    guard details.removeValue(forKey: "heldWhole") == .flag(true) else { return nil }
    return Wording(
      Wording.of(reason).why,
      "nothing is lost: the store has all of it from a whole copy"
    )
  }

  /// Where in that thing, and the facts that go with the reason, in a fixed order.
  private static func place(_ details: [String: RasdError.Detail]) -> [String] {
    let first = ["what", "entry", "table", "part", "line", "page", "offset"]
    let rest = details.keys.filter { $0 != "path" && !first.contains($0) }.sorted()
    return (first + rest).compactMap { name in
      details[name].map { name == "what" ? show($0) : "\(spaced(name)) \(show($0))" }
    }
  }

  /// A member's name as words: `exportId` is `export id`.
  private static func spaced(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
  }

  private static func show(_ detail: RasdError.Detail) -> String {
    switch detail {
    case .text(let text): SafeText.escape(text)
    case .number(let number): String(number)
    case .flag(let flag): flag ? "yes" : "no"
    case .list(let items): items.map(SafeText.escape).joined(separator: ", ")
    case .bytes(let bytes): SafeText.escape(bytes: bytes.span)
    }
  }
}
