internal import RasdCrypto
internal import RasdModel

/// Writes rows in the members of the format's tables (the format, §Rows) and looks whether
/// their own checksums hold.
struct NativeRows {
  /// What a row's own checksum says of it.
  enum Proof: Hashable, Sendable {
    /// It carries none, or none that is used.
    case none
    case holds, fails
    /// It can't be computed while an envelope stays closed.
    case closed
  }

  private let options: Salvage.Options
  private var scratch: [UInt8] = []

  init(_ options: Salvage.Options) { self.options = options }

  /// Appends the row's text and returns where it lies and what it proves.
  mutating func append(
    _ values: Range<Int>,
    _ table: SalvageTable,
    _ mapping: RowMapping,
    isWhole: Bool,
    notes: inout RowNotesSet,
    to batch: inout RowBatch
  ) -> (ByteRange, Proof) {
    let start = batch.text.count
    batch.text.append(UInt8(ascii: "{"))
    for member in mapping.members {
      guard let place = table.columns.firstIndex(of: member.column) else { continue }
      let value = batch.values[values.lowerBound + place]
      switch value {
      case .null, .absent: continue
      default: append(value, member, &notes, &batch)
      }
    }
    if batch.text.count == start + 1 { batch.text.append(UInt8(ascii: " ")) }
    batch.text[batch.text.count - 1] = UInt8(ascii: "}")
    let range = ByteRange(start: start, count: batch.text.count - start)
    guard isWhole else { return (range, .none) }
    let closed = notes.contains(.envelopeClosed)
    var reader = RowReader(sha256: { SHA256.digest($0) })
    do {
      let row = try reader.read(
        line: batch.text.span.extracting(range.range),
        table: mapping.table,
        namespace: options.namespace
      )
      if closed { return (range, .closed) }
      return (range, Self.proof(row.facts))
    } catch {
      if closed { return (range, .closed) }
      if error.fault == .checksumMismatch { return (range, .fails) }
      notes.insert(.notMergeable)
      return (range, .none)
    }
  }

  private static func proof(_ facts: RowFacts) -> Proof {
    switch facts {
    case .submission(let submission): submission.status == .draft ? .none : .holds
    case .form(let form): form.declaredHash == nil ? .none : form.hashHolds ? .holds : .fails
    default: .none
    }
  }

  /// Appends `"name":value,`.
  private mutating func append(
    _ value: SalvagedValue,
    _ member: RowMapping.Member,
    _ notes: inout RowNotesSet,
    _ batch: inout RowBatch
  ) {
    switch member.form {
    case .dropped: return
    case .value:
      batch.text.append(contentsOf: member.label)
      RowJSON.append(value, of: batch.bytes, to: &batch.text)
    case .boolean:
      batch.text.append(contentsOf: member.label)
      if case .integer(let integer) = value, integer == 0 || integer == 1 {
        batch.text.append(contentsOf: (integer == 1 ? "true" : "false").utf8)
      } else {
        RowJSON.append(value, of: batch.bytes, to: &batch.text)
      }
    case .json:
      batch.text.append(contentsOf: member.label)
      if !appendJSON(value, &batch) {
        notes.insert(.notJSON)
        RowJSON.append(value, of: batch.bytes, to: &batch.text)
      }
    case .spread:
      let start = batch.text.count
      if appendJSON(value, &batch), let inner = inner(batch.text.span, from: start) {
        // The members of the object, its braces left out.
        batch.text.removeSubrange(inner.upperBound...)
        batch.text.removeSubrange(start..<inner.lowerBound)
        if inner.isEmpty { return }
      } else {
        batch.text.removeSubrange(start...)
        notes.insert(.notJSON)
        batch.text.append(contentsOf: member.label)
        RowJSON.append(value, of: batch.bytes, to: &batch.text)
      }
    }
    batch.text.append(UInt8(ascii: ","))
  }

  /// Appends the JSON that a column holds, as text or JSONB; false, and nothing appended,
  /// where it holds none.
  private mutating func appendJSON(_ value: SalvagedValue, _ batch: inout RowBatch) -> Bool {
    switch value {
    case .text(let range):
      batch.text.append(contentsOf: batch.bytes[range.range])
      return range.count > 0
    case .blob(let range):
      guard range.count > 0 else { return false }
      let first = batch.bytes[range.start]
      let isText =
        first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        || first >= 0x20 && first < 0x7F && first & 0x0F > 12
      if isText, JSONBText.isUTF8(batch.bytes.span.extracting(range.range)) {
        batch.text.append(contentsOf: batch.bytes[range.range])
        return true
      }
      let start = batch.text.count
      let bytes = batch.bytes
      do {
        try JSONB.write(bytes.span.extracting(range.range), to: &batch.text)
        return true
      } catch {
        batch.text.removeSubrange(start...)
        return false
      }
    default: return false
    }
  }

  /// What stands between the outer braces of the object that `text` holds from `from` on.
  private func inner(_ text: Span<UInt8>, from: Int) -> Range<Int>? {
    var low = from
    var high = text.count
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
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
