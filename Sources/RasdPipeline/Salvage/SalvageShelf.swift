import RasdCrypto
import RasdMerge
import RasdModel
import RasdSalvage

/// The rows of databases that may enter an export, one a key: of several copies the best grade,
/// then the kind that speaks first, then what the merge rules would choose.
final class SalvageShelf {
  /// A row with what proves it.
  struct Entry {
    let table: TableName
    /// Nil for a line that has none and that whoever reads the export rejects.
    let key: RowKey?
    /// Nil for a row whose own checksum contradicts it, or that breaks the format's rules.
    let row: Row?
    let text: [UInt8]
    let grade: Grade
    let kind: RowKind
    let provenance: SalvageProvenance
  }

  /// What becomes of rows that break the rules of the format.
  enum Flawed { case leftOut, kept }

  private let admission: Admission
  private let flawed: Flawed
  private let namespace: Namespace
  private let tables: Set<TableName>
  private var best: [RowKey: Entry] = [:]
  private var unkeyed: [Entry] = []
  private var reader = RowReader(sha256: SHA256.digest)
  /// Where an attachment's file was on the device, by id.
  private(set) var localPaths: [String: String] = [:]
  /// Rows of tables that are none of the format's, and rows that break its rules.
  private(set) var unmapped = 0
  private(set) var unmergeable = 0
  private(set) var unadmitted = 0

  init(
    _ admission: Admission,
    _ namespace: Namespace,
    flawed: Flawed = .leftOut,
    tables: [TableName] = TableName.rasd
  ) {
    self.admission = admission
    self.namespace = namespace
    self.flawed = flawed
    self.tables = Set(tables)
  }

  var count: Int { best.count + unkeyed.count }

  /// Takes what may enter of a page's rows.
  func take(_ batch: RowBatch, of tables: [SalvageTable], in database: SHA256Digest) {
    for row in batch.rows {
      let table = tables[row.table]
      guard let native = table.native, self.tables.contains(native) else {
        unmapped += 1
        continue
      }
      guard admission.admits(row) else {
        unadmitted += 1
        continue
      }
      take(row, native, batch, database)
      if native == .attachments { notePath(row, table, batch) }
    }
  }

  /// Entries of a table, in the order of their keys.
  func entries(of table: TableName) -> [Entry] {
    best.filter { $0.key.table == table }.sorted { $0.key < $1.key }.map(\.value)
      + unkeyed.filter { $0.table == table }
  }

  private func take(
    _ row: SalvagedRow,
    _ table: TableName,
    _ batch: RowBatch,
    _ database: SHA256Digest
  ) {
    let text = Array(batch.json(of: row))
    var read: Row?
    var key: RowKey?
    do throws(RowRejection) {
      let one = try reader.read(line: text.span, table: table, namespace: namespace)
      (read, key) = (one, one.key)
    } catch {
      key = error.key
      let isAskedFor = error.fault == .checksumMismatch && row.grade == .contradicted
      guard flawed == .kept || isAskedFor else {
        unmergeable += 1
        return
      }
    }
    let entry = Entry(
      table: table,
      key: key,
      row: read,
      text: text,
      grade: row.grade,
      kind: row.kind,
      provenance: SalvageProvenance(row, batch.origin, database)
    )
    guard let key else {
      unkeyed.append(entry)
      return
    }
    if let held = best[key], !Self.precedes(held, entry) { return }
    best[key] = entry
  }

  /// Whether `b` is the better copy of the key that both are of.
  private static func precedes(_ a: Entry, _ b: Entry) -> Bool {
    if a.grade != b.grade { return a.grade < b.grade }
    if a.kind != b.kind { return b.kind < a.kind }
    guard let x = a.row, let y = b.row else { return a.row == nil && b.row != nil }
    switch (x.facts, y.facts) {
    case (.submission(let p), .submission(let q)):
      let pair = [Observation(p, hash: x.hash), Observation(q, hash: y.hash)]
      return SubmissionOrder.resolve(pair)?.seen.speaker == 1
    case (.attachment(let p), .attachment(let q)):
      let pair = [Observation(p, hash: x.hash), Observation(q, hash: y.hash)]
      return AttachmentOrder.resolve(pair, listed: [nil, nil])?.seen == 1
    case (.dataset(let p), .dataset(let q)):
      let pair = [Observation(p, hash: x.hash), Observation(q, hash: y.hash)]
      return DatasetOrder.resolve(pair)?.seen == 1
    default: return x.hash < y.hash
    }
  }

  private func notePath(_ row: SalvagedRow, _ table: SalvageTable, _ batch: RowBatch) {
    guard let id = text("id", of: row, table, batch),
      let path = text("local_path", of: row, table, batch)
    else { return }
    localPaths[id] = path
  }

  private func text(
    _ column: String,
    of row: SalvagedRow,
    _ table: SalvageTable,
    _ batch: RowBatch
  ) -> String? {
    let values = batch.values(of: row)
    guard let place = table.columns.firstIndex(of: column), place < values.count,
      case .text(let range) = values[values.startIndex + place]
    else { return nil }
    return String(validating: batch.bytes[range.range], as: UTF8.self)
  }
}

/// Where in which database a row was found.
struct SalvageProvenance {
  let database: SHA256Digest
  /// The file that the offset is into.
  let file: String
  let page: Int
  let cell: Int?
  let offset: Int
  let verdict: String

  init(_ row: SalvagedRow, _ origin: PageOrigin, _ database: SHA256Digest) {
    self.database = database
    file = origin.words
    page = Int(row.page)
    cell = row.cell < 0 ? nil : row.cell
    offset = Int(clamping: row.fileOffset)
    verdict = row.verdict.rawValue
  }
}
