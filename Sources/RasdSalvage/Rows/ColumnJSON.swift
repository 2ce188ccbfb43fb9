internal import RasdModel

/// Puts the JSON that a column holds, as text, JSONB or sealed, into a row's text.
struct ColumnJSON {
  enum Outcome: Hashable, Sendable {
    /// Appended; nothing was, where an object that is spread has no members.
    case written(isEmpty: Bool)
    /// An envelope in it stays closed; see `isWhollyClosed`.
    case closed
    /// It holds none; nothing was appended.
    case notJSON
    /// It needs a look of its own: nothing was appended, try again with `.pieces`.
    case unproved
  }

  private var subject: [UInt8] = []
  private var keys = FieldKeys()
  private var present: [[UInt8]] = []
  private var scratch: [UInt8] = []
  /// Whether all of the column is one closed envelope, and so nothing was appended.
  private(set) var isWhollyClosed = false

  /// Begins a row: what its envelopes are bound to, and the members it has from columns.
  mutating func begin(subject: [UInt8], keys: FieldKeys, present: [[UInt8]]) {
    self.subject = subject
    self.present = present
    self.keys = keys
  }

  mutating func append(
    _ value: SalvagedValue,
    of bytes: [UInt8],
    _ member: RowMapping.Member,
    _ care: NativeRows.Care,
    to text: inout [UInt8]
  ) -> Outcome {
    isWhollyClosed = false
    guard var json = json(value, bytes) else {
      return isWhollyClosed ? .closed : .notJSON
    }
    var isClosed = false
    let mayBeSealed =
      json.isScratch
      ? SealedFields.mayOccur(in: scratch.span.extracting(json.range))
      : SealedFields.mayOccur(in: bytes.span.extracting(json.range))
    if mayBeSealed {
      let (opened, outcome) = SealedFields.open(
        Array(json.isScratch ? scratch[json.range] : bytes[json.range]),
        subject: subject,
        keys: keys
      )
      isClosed = outcome.closed > 0
      scratch = opened
      json = Source(range: 0..<opened.count, isScratch: true)
    }
    let source = json.isScratch ? scratch : bytes
    let outcome = place(source, json.range, member, care, &text)
    if case .written = outcome, isClosed { return .closed }
    return outcome
  }

  /// Where a column's JSON lies.
  struct Source {
    var range: Range<Int>
    var isScratch: Bool
  }

  private mutating func json(_ value: SalvagedValue, _ bytes: [UInt8]) -> Source? {
    switch value {
    case .text(let range):
      return range.count > 0 ? Source(range: range.range, isScratch: false) : nil
    case .blob(let range):
      return json(range, bytes)
    default: return nil
    }
  }

  private mutating func json(_ blob: ByteRange, _ bytes: [UInt8]) -> Source? {
    guard blob.count > 0 else { return nil }
    let content = bytes.span.extracting(blob.range)
    if PayloadEnvelope.isPlausible(content) {
      guard let plain = PayloadEnvelope.open(content, subject: subject, keys: keys) else {
        isWhollyClosed = true
        return nil
      }
      return json(ofPlain: plain)
    }
    let looksLikeText = Self.looksLikeText(content)
    // Digits that are both a number's text and JSONB are taken for the text.
    if looksLikeText, content[0] >= 0x30 && content[0] <= 0x39 || !JSONB.fills(content) {
      return JSONBText.isUTF8(content) ? Source(range: blob.range, isScratch: false) : nil
    }
    scratch.removeAll(keepingCapacity: true)
    do {
      try JSONB.write(content, to: &scratch)
      return Source(range: 0..<scratch.count, isScratch: true)
    } catch {
      guard looksLikeText, JSONBText.isUTF8(content) else { return nil }
      return Source(range: blob.range, isScratch: false)
    }
  }

  private mutating func json(ofPlain plain: [UInt8]) -> Source? {
    guard let source = json(ByteRange(start: 0, count: plain.count), plain) else { return nil }
    if !source.isScratch { scratch = plain }
    return Source(range: source.range, isScratch: true)
  }

  /// Whether a BLOB begins as JSON text does.
  private static func looksLikeText(_ bytes: Span<UInt8>) -> Bool {
    switch bytes[0] {
    case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "["), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "{"):
      true
    default: false
    }
  }

  // MARK: Placing

  private func place(
    _ source: [UInt8],
    _ range: Range<Int>,
    _ member: RowMapping.Member,
    _ care: NativeRows.Care,
    _ text: inout [UInt8]
  ) -> Outcome {
    let span = source.span.extracting(range)
    switch care {
    case .whole:
      // A row is one line; a line break may also stand where JSON allows none.
      if Self.holdsLineBreak(span) { return .unproved }
      guard member.form == .spread else {
        text.append(contentsOf: member.label)
        text.append(contentsOf: source[range])
        return .written(isEmpty: false)
      }
      guard let inner = Self.inner(span) else { return .unproved }
      text.append(
        contentsOf: source[
          range.lowerBound + inner.lowerBound..<range.lowerBound + inner.upperBound
        ]
      )
      return .written(isEmpty: inner.isEmpty)
    case .pieces:
      var rules = JSONRules.strict
      rules.duplicates = .kept
      guard let value = try? JSONValue.parse(span, rules: rules) else { return .notJSON }
      guard member.form == .spread else {
        text.append(contentsOf: member.label)
        value.write(to: &text)
        return .written(isEmpty: false)
      }
      guard let members = value.members else { return .notJSON }
      var isFirst = true
      for inner in members {
        var label: [UInt8] = []
        JSONText.appendQuoted(inner.name, to: &label)
        label.append(UInt8(ascii: ":"))
        // What has a column of its own is the column's.
        if present.contains(label) { continue }
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        text.append(contentsOf: label)
        inner.value.write(to: &text)
      }
      return .written(isEmpty: isFirst)
    }
  }

  private static func holdsLineBreak(_ text: Span<UInt8>) -> Bool {
    for i in text.indices where text[i] == 0x0A || text[i] == 0x0D { return true }
    return false
  }

  /// What stands between the outer braces of an object.
  private static func inner(_ text: Span<UInt8>) -> Range<Int>? {
    var low = 0
    var high = text.count
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    while low < high, isSpace(text[low]) { low += 1 }
    while high > low, isSpace(text[high - 1]) { high -= 1 }
    guard high - low >= 2, text[low] == UInt8(ascii: "{"), text[high - 1] == UInt8(ascii: "}")
    else { return nil }
    low += 1
    high -= 1
    while low < high, isSpace(text[low]) { low += 1 }
    while high > low, isSpace(text[high - 1]) { high -= 1 }
    return low..<high
  }
}
