import RasdCrypto
import RasdMerge
import RasdModel
import RasdSalvage

/// The rows that may enter an export, one a key: of several copies the best grade, then the kind
/// that speaks first, then what the merge rules choose.
final class SalvageShelf {
  /// What becomes of rows that break the rules of the format.
  enum Flawed { case leftOut, kept }

  private let admission: Admission
  private let flawed: Flawed
  private let namespace: Namespace
  private var tables: [TableName: SortedEntries] = [:]
  private var reader = RowReader(sha256: SHA256.digest)
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
    for table in tables { self.tables[table] = SortedEntries(table) }
  }

  /// Whether nothing entered.
  var isEmpty: Bool { tables.values.allSatisfy { $0.count == 0 } }

  /// Whether nothing entered of a table.
  func isEmpty(_ table: TableName) -> Bool { tables[table]?.count ?? 0 == 0 }

  /// Takes what may enter of a page's rows.
  func take(
    _ batch: RowBatch,
    of tables: [SalvageTable],
    in database: SHA256Digest
  ) throws(RasdError) {
    for row in batch.rows {
      guard let native = tables[row.table].native, self.tables[native] != nil else {
        unmapped += 1
        continue
      }
      let table = tables[row.table]
      let provenance = SalvageProvenance(row, batch.origin, database).json
      let path = native == .attachments ? Self.localPath(of: row, table, batch) : nil
      let text = batch.json(of: row)
      try take(Array(text), native, row.grade, row.kind, provenance, localPath: path)
    }
  }

  /// Takes a row that may enter.
  func take(
    _ text: [UInt8],
    _ table: TableName,
    _ grade: Grade,
    _ kind: RowKind,
    _ provenance: [UInt8],
    localPath: String? = nil
  ) throws(RasdError) {
    guard admission.admits(grade, kind) else {
      unadmitted += 1
      return
    }
    var key: RowKey?
    var hash: SHA256Digest?
    do throws(RowRejection) {
      let row = try reader.read(line: text.span, table: table, namespace: namespace)
      (key, hash) = (row.key, row.hash)
    } catch {
      key = error.key
      let isAskedFor = error.fault == .checksumMismatch && grade == .contradicted
      guard flawed == .kept || isAskedFor else {
        unmergeable += 1
        return
      }
    }
    let entry = SalvagedEntry(
      table: table,
      key: key?.text,
      hash: hash,
      grade: grade,
      kind: kind,
      text: text,
      provenance: provenance,
      localPath: localPath
    )
    let entries = tables[table] ?? SortedEntries(table)
    tables[table] = entries
    try entries.add(entry)
  }

  /// Gives the entries of a table that were chosen, in the order of their keys, and those that a
  /// better copy of their key stands for.
  func forEach(
    of table: TableName,
    passedOver: (SalvagedEntry) throws(RasdError) -> Void = { _ in },
    _ body: (SalvagedEntry) throws(RasdError) -> Void
  ) throws(RasdError) {
    var copies: [SalvagedEntry] = []
    func end() throws(RasdError) {
      let chosen = copies.count > 1 ? choose(copies) : 0
      for (i, copy) in copies.enumerated() {
        if i == chosen { try body(copy) } else { try passedOver(copy) }
      }
      copies.removeAll(keepingCapacity: true)
    }
    try tables[table]?.forEach { (entry) throws(RasdError) in
      if entry.key == nil || entry.key != copies.first?.key { try end() }
      // Only equals of the first are left to the merge rules: it has the best grade and kind.
      if let first = copies.first, first.grade != entry.grade || first.kind != entry.kind {
        try passedOver(entry)
      } else {
        copies.append(entry)
      }
    }
    try end()
  }

  /// The place of the copy that the merge rules choose of several of one key, grade and kind.
  private func choose(_ copies: [SalvagedEntry]) -> Int {
    var reader = RowReader(sha256: SHA256.digest)
    var submissions: [Observation<SubmissionFacts>] = []
    var attachments: [Observation<AttachmentFacts>] = []
    var datasets: [Observation<DatasetFacts>] = []
    var places: [Int] = []
    for (i, copy) in copies.enumerated() {
      let row = try? reader.read(line: copy.text.span, table: copy.table, namespace: namespace)
      guard let row else { continue }
      places.append(i)
      switch row.facts {
      case .submission(let facts): submissions.append(Observation(facts, hash: row.hash))
      case .attachment(let facts): attachments.append(Observation(facts, hash: row.hash))
      case .dataset(let facts): datasets.append(Observation(facts, hash: row.hash))
      default: break
      }
    }
    let seen =
      SubmissionOrder.resolve(submissions)?.seen.speaker
      ?? AttachmentOrder.resolve(attachments, listed: attachments.map { _ in nil })?.seen
      ?? DatasetOrder.resolve(datasets)?.seen
    if let seen { return places[seen] }
    // Every order ends in the greater hash.
    let byHash = copies.indices.filter { copies[$0].hash != nil }
    return byHash.max { a, b in
      guard let x = copies[a].hash, let y = copies[b].hash else { return false }
      return x < y
    } ?? 0
  }

  private static func localPath(
    of row: SalvagedRow,
    _ table: SalvageTable,
    _ batch: RowBatch
  ) -> String? {
    let values = batch.values(of: row)
    guard let place = table.columns.firstIndex(of: "local_path"), place < values.count,
      case .text(let range) = values[values.startIndex + place]
    else { return nil }
    return String(validating: batch.bytes[range.range], as: UTF8.self)
  }
}
