/// Reads the lines of a table into rows, each check of the merge rules and the format made.
///
/// One reader a worker: it reuses its memory from line to line.
package struct RowReader: ~Copyable {
  var tape = JSONTape()
  /// The canonical form of the row at hand.
  var canonical: [UInt8] = []
  /// Where its members begin there, and where the last one's comma would end.
  var places: [Int] = []
  /// Whatever else is about to be hashed.
  var scratch: [UInt8] = []
  let sha256: SHA256Function

  package init(sha256: @escaping SHA256Function) { self.sha256 = sha256 }

  /// The row of one line, given without its LF, of a table in an export of `namespace`.
  package mutating func read(
    line: Span<UInt8>,
    table: TableName,
    namespace: Namespace
  ) throws(RowRejection) -> Row {
    try parse(line)
    canonical.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    tape.writeCanonical(object: tape.root, in: line, to: &canonical, places: &places)
    let hash = sha256(canonical.span)
    var notes = RowNotes()
    if line.count > 0, line[line.count - 1] == UInt8(ascii: "\r") {
      notes.add(.carriageReturn)
    }
    let (key, facts) = try facts(line, table, namespace, hash, &notes)
    return Row(
      table: table,
      key: key,
      text: [UInt8](copying: line),
      body: body(of: table, line),
      hash: hash,
      facts: facts,
      notices: notes.notices,
      latest: notes.latest
    )
  }

  private func body(of table: TableName, _ line: Span<UInt8>) -> Range<Int> {
    let member: Int?
    switch table {
    case .submissions: member = tape.member("data", of: 0, in: line)
    case .forms: member = tape.member("definition", of: 0, in: line)
    default: member = nil
    }
    return member.map { tape.range(of: $0) } ?? 0..<0
  }

  private mutating func parse(_ line: Span<UInt8>) throws(RowRejection) {
    do {
      try tape.parse(line)
    } catch {
      throw RowRejection(RowFault(error.fault), offset: error.offset)
    }
    guard tape.kind(of: tape.root) == .object else {
      throw RowRejection(.notAnObject, offset: tape.range(of: tape.root).lowerBound)
    }
  }
}

extension RowFault {
  /// The word for a line whose text can't be read.
  init(_ fault: JSONFault) {
    switch fault {
    case .empty: self = .blankLine
    case .byteOrderMark: self = .byteOrderMark
    case .invalidUTF8: self = .invalidUTF8
    case .loneSurrogate: self = .loneSurrogate
    case .numberOutOfRange: self = .numberOutOfRange
    case .doubledMember: self = .doubledMember
    case .tooDeep: self = .tooDeep
    case .tooLong: self = .tooLong
    case .unexpectedEnd, .unexpectedByte, .invalidNumber, .invalidEscape, .controlCharacter,
      .trailingBytes:
      self = .notJSON
    }
  }
}

/// What is gathered while a row's members are read.
struct RowNotes {
  private(set) var notices: [RowNotice] = []
  private(set) var latest: Instant?

  mutating func add(_ reason: Reason, member: String? = nil) {
    notices.append(RowNotice(reason, member: member))
  }

  mutating func saw(_ moment: Instant) {
    latest = max(latest ?? moment, moment)
  }
}
