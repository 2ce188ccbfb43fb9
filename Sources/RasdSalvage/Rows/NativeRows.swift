internal import RasdCrypto
internal import RasdModel

/// Writes rows in the members of the format's tables (the format, §Rows) and looks whether
/// their own checksums hold.
///
/// The JSON of a column goes into the row's text unread; the reader of the whole row proves it.
/// Only a row that this reader refuses is written again with each piece proved by itself.
struct NativeRows {
  /// What a row's own checksum says of it.
  enum Proof: Hashable, Sendable {
    /// It carries none, or none that is used.
    case none
    case holds, fails
    /// It holds, but is over the content alone and not over the row's key.
    case holdsButForKey
    /// It can't be computed while an envelope stays closed.
    case closed
  }

  /// Whether the pieces of a row are proved one by one.
  enum Care: Hashable, Sendable { case whole, pieces }

  /// A name that a submission's list gives to an attachment, by the hash of its id.
  struct AttachmentName: Hashable, Sendable {
    let id: UInt64
    let name: String
  }

  private let options: Salvage.Options
  private let names: [UInt64: String]
  private(set) var found: [AttachmentName] = []
  private var columns = ColumnJSON()

  init(_ options: Salvage.Options, names: [UInt64: String]) {
    self.options = options
    self.names = names
  }

  /// Appends the row's text and returns where it lies and what it proves.
  mutating func append(
    _ values: Range<Int>,
    _ table: SalvageTable,
    _ mapping: RowMapping,
    isWhole: Bool,
    notes: inout RowNotesSet,
    to batch: inout RowBatch
  ) -> (ByteRange, Proof) {
    var range = ByteRange(start: batch.text.count, count: 0)
    if isWhole {
      var first = notes
      if write(values, table, mapping, .whole, &first, &batch) {
        range.count = batch.text.count - range.start
        do {
          let proof = try read(range, mapping.table, first, batch)
          notes = first
          return (range, proof)
        } catch {
          if error.fault == .checksumMismatch {
            notes = first
            return (range, first.contains(.envelopeClosed) ? .closed : .fails)
          }
        }
      }
      batch.text.removeSubrange(range.start...)
    }
    _ = write(values, table, mapping, .pieces, &notes, &batch)
    range.count = batch.text.count - range.start
    guard isWhole else { return (range, .none) }
    do {
      return (range, try read(range, mapping.table, notes, batch))
    } catch {
      if error.fault == .checksumMismatch {
        return (range, notes.contains(.envelopeClosed) ? .closed : .fails)
      }
      notes.insert(.notMergeable)
      return (range, .none)
    }
  }

  private mutating func read(
    _ range: ByteRange,
    _ table: TableName,
    _ notes: RowNotesSet,
    _ batch: RowBatch
  ) throws(RowRejection) -> Proof {
    var reader = RowReader(sha256: { SHA256.digest($0) })
    let row = try reader.read(
      line: batch.text.span.extracting(range.range),
      table: table,
      namespace: options.namespace
    )
    if case .submission(let submission) = row.facts, !submission.listed.isEmpty {
      for (id, name) in reader.attachmentNames(line: batch.text.span.extracting(range.range)) {
        found.append(AttachmentName(id: Self.hash(id), name: name))
      }
    }
    if notes.contains(.envelopeClosed) { return .closed }
    return switch row.facts {
    case .submission(let submission):
      submission.status == .draft || row.notices.contains { $0.reason == .checksumAbsent }
        ? .none : .holds
    case .form(let form):
      form.declaredHash == nil ? .none : form.hashHolds ? .holdsButForKey : .fails
    default: .none
    }
  }

  private static func hash(_ id: String) -> UInt64 { QuickHash.of(Array(id.utf8).span) }

  // MARK: Text

  /// Appends the row's object; false where a piece must be proved by itself first.
  private mutating func write(
    _ values: Range<Int>,
    _ table: SalvageTable,
    _ mapping: RowMapping,
    _ care: Care,
    _ notes: inout RowNotesSet,
    _ batch: inout RowBatch
  ) -> Bool {
    let start = batch.text.count
    batch.text.append(UInt8(ascii: "{"))
    columns.begin(
      subject: subject(values, table, mapping, batch),
      keys: options.fieldKeys,
      present: care == .pieces ? labels(values, table, mapping, batch) : []
    )
    for (i, member) in mapping.members.enumerated() {
      let place = table.mapped[i]
      guard place >= 0 else { continue }
      let value = batch.values[values.lowerBound + place]
      switch value {
      case .null, .absent: continue
      default: break
      }
      guard append(value, member, care, &notes, &batch) else { return false }
    }
    if mapping.table == .attachments, table.key.count == 1 {
      appendName(values, table, &notes, &batch)
    }
    if batch.text.count == start + 1 { batch.text.append(UInt8(ascii: " ")) }
    batch.text[batch.text.count - 1] = UInt8(ascii: "}")
    return true
  }

  /// Appends `"name":value,`.
  private mutating func append(
    _ value: SalvagedValue,
    _ member: RowMapping.Member,
    _ care: Care,
    _ notes: inout RowNotesSet,
    _ batch: inout RowBatch
  ) -> Bool {
    switch member.form {
    case .dropped: return true
    case .boolean:
      batch.text.append(contentsOf: member.label)
      if case .integer(let integer) = value, integer == 0 || integer == 1 {
        batch.text.append(contentsOf: (integer == 1 ? "true" : "false").utf8)
      } else {
        RowJSON.append(value, of: batch.bytes, to: &batch.text)
      }
    case .json, .spread:
      let isSpread = member.form == .spread
      switch columns.append(value, of: batch.bytes, member, care, to: &batch.text) {
      case .written(let isEmpty):
        if isSpread, isEmpty { return true }
      case .closed:
        notes.insert(.envelopeClosed)
        if columns.isWhollyClosed { return appendRaw(value, member, &batch) }
      case .notJSON:
        notes.insert(.notJSON)
        return appendRaw(value, member, &batch)
      case .unproved: return false
      }
    case .value:
      batch.text.append(contentsOf: member.label)
      RowJSON.append(value, of: batch.bytes, to: &batch.text)
    }
    batch.text.append(UInt8(ascii: ","))
    return true
  }

  /// The members that the row has from columns of their own.
  private func labels(
    _ values: Range<Int>,
    _ table: SalvageTable,
    _ mapping: RowMapping,
    _ batch: RowBatch
  ) -> [[UInt8]] {
    mapping.members.indices.compactMap { i in
      let place = table.mapped[i]
      let form = mapping.members[i].form
      guard place >= 0, form != .spread, form != .dropped,
        batch.values[values.lowerBound + place] != .null,
        batch.values[values.lowerBound + place] != .absent
      else { return nil }
      return mapping.members[i].label
    }
  }

  private func appendRaw(
    _ value: SalvagedValue,
    _ member: RowMapping.Member,
    _ batch: inout RowBatch
  ) -> Bool {
    batch.text.append(contentsOf: member.label)
    RowJSON.append(value, of: batch.bytes, to: &batch.text)
    batch.text.append(UInt8(ascii: ","))
    return true
  }

  /// An attachment's name has no column: its submission's list has it.
  ///
  /// That it is listed there also says that its id is what was written.
  private func appendName(
    _ values: Range<Int>,
    _ table: SalvageTable,
    _ notes: inout RowNotesSet,
    _ batch: inout RowBatch
  ) {
    guard !names.isEmpty, case .text(let id) = batch.values[values.lowerBound + table.key[0]],
      let name = names[QuickHash.of(batch.bytes.span.extracting(id.range))]
    else { return }
    notes.remove(.indexDisagrees)
    batch.text.append(contentsOf: "\"name\":".utf8)
    JSONText.appendQuoted(name, to: &batch.text)
    batch.text.append(UInt8(ascii: ","))
  }

  /// `<table>/<primary key>`, what envelopes of the row are bound to.
  private func subject(
    _ values: Range<Int>,
    _ table: SalvageTable,
    _ mapping: RowMapping,
    _ batch: RowBatch
  ) -> [UInt8] {
    var subject = Array(mapping.table.text.utf8)
    for place in table.key {
      subject.append(UInt8(ascii: "/"))
      switch batch.values[values.lowerBound + place] {
      case .text(let range): subject.append(contentsOf: batch.bytes[range.range])
      case .integer(let integer): subject.append(contentsOf: String(integer).utf8)
      default: break
      }
    }
    return subject
  }
}
