import RasdModel

/// A row that may enter an export or a store, with what proves it.
struct SalvagedEntry {
  let table: TableName
  /// The key's text; nil for a line that has none and that whoever reads the export rejects.
  let key: String?
  /// SHA-256 of the row's canonical form; nil for a row that breaks the format's rules.
  let hash: SHA256Digest?
  let grade: Grade
  let kind: RowKind
  let text: [UInt8]
  /// Where it was found: a JSON object.
  let provenance: [UInt8]
  /// Where an attachment's file was on the device, where its row says so.
  var localPath: String?

  var rowKey: RowKey? { key.flatMap { RowKey(table, text: $0) } }

  /// Roughly what it takes in memory.
  var weight: Int { text.count + provenance.count + (key?.utf8.count ?? 0) + 256 }

  /// By key, rows without one last; of one key the best grade first, then the kind that speaks
  /// first.
  static func precedes(_ a: SalvagedEntry, _ b: SalvagedEntry) -> Bool {
    switch (a.key, b.key) {
    case (let x?, let y?) where x != y: return x < y
    case (nil, _?): return false
    case (_?, nil): return true
    default: break
    }
    if a.grade != b.grade { return a.grade > b.grade }
    if a.kind != b.kind { return a.kind < b.kind }
    return a.text.lexicographicallyPrecedes(b.text)
  }
}

// MARK: - As bytes

extension SalvagedEntry {
  /// Appends the entry, its length before it.
  func write(to bytes: inout [UInt8]) {
    let start = bytes.count
    Self.append(0, to: &bytes)
    bytes.append(UInt8(grade.place))
    bytes.append(UInt8(kind.place))
    Self.append(optional: key.map { Array($0.utf8) }, to: &bytes)
    Self.append(optional: hash?.bytes, to: &bytes)
    Self.append(optional: localPath.map { Array($0.utf8) }, to: &bytes)
    Self.append(optional: provenance, to: &bytes)
    Self.append(optional: text, to: &bytes)
    let size = bytes.count - start - Self.lengthSize
    for i in 0..<Self.lengthSize {
      bytes[start + i] = UInt8(truncatingIfNeeded: size >> (24 - 8 * i))
    }
  }

  /// Reads an entry of `table` out of the bytes after its length.
  init?(_ bytes: Span<UInt8>, of table: TableName) {
    var cursor = ByteCursor(bytes)
    guard let grade = try? cursor.u8(), let kind = try? cursor.u8(),
      Int(grade) < Grade.allCases.count, Int(kind) < RowKind.allCases.count
    else { return nil }
    var fields: [[UInt8]?] = []
    for _ in 0..<5 {
      guard let present = try? cursor.u8() else { return nil }
      guard present == 1 else {
        fields.append(nil)
        continue
      }
      guard let size = try? cursor.u32be(), let field = try? cursor.take(Int(size)) else {
        return nil
      }
      fields.append([UInt8](copying: field))
    }
    guard let provenance = fields[3], let text = fields[4] else { return nil }
    self.table = table
    key = fields[0].map { String(decoding: $0, as: UTF8.self) }
    hash = fields[1].flatMap { SHA256Digest(bytes: $0) }
    self.grade = Grade.allCases[Int(grade)]
    self.kind = RowKind.allCases[Int(kind)]
    localPath = fields[2].map { String(decoding: $0, as: UTF8.self) }
    self.provenance = provenance
    self.text = text
  }

  static let lengthSize = 4

  private static func append(optional field: [UInt8]?, to bytes: inout [UInt8]) {
    bytes.append(field == nil ? 0 : 1)
    guard let field else { return }
    append(UInt32(truncatingIfNeeded: field.count), to: &bytes)
    bytes.append(contentsOf: field)
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    for i in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (24 - 8 * i))) }
  }
}

extension CaseIterable where Self: Equatable {
  /// Its place among all cases.
  fileprivate var place: Int {
    for (i, other) in Self.allCases.enumerated() where other == self { return i }
    return 0
  }
}
