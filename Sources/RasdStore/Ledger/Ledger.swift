internal import RasdModel
internal import SQLCipherKit

/// The sources of a store and how far each has come; read once, written as it changes.
final class Ledger {
  private let connection: Connection
  private let names: Names
  private(set) var sources: [Int: SourceRecord] = [:]
  private var numbers: [SourceKey: Int] = [:]

  init(_ connection: Connection, _ names: Names) throws(RasdError) {
    self.connection = connection
    self.names = names
    try reload()
  }

  /// Reads all again, as after a rollback.
  func reload() throws(RasdError) {
    sources = [:]
    numbers = [:]
    let select = try connection.statement(
      """
      SELECT source, export_id, manifest, jsonl, origin, nsid, exported_at, sequence, is_partial,
        label, state, retracted, entry, row, tally FROM sources
      """
    )
    while try select.step() {
      guard let manifest = select.digest(2), let jsonl = select.digest(3),
        let origin = SourceOrigin(rawValue: select.text(4)),
        let namespace = names.namespace(Int(select.integer(5))),
        let state = SourceRecord.State(rawValue: select.integer(10))
      else {
        select.reset()
        throw RasdError(.corrupt, .storeDamaged, ["table": "sources"])
      }
      let exportedAt = select.text(6)
      let record = SourceRecord(
        number: Int(select.integer(0)),
        description: SourceDescription(
          key: SourceKey(exportId: select.text(1), manifest: manifest, jsonl: jsonl),
          origin: origin,
          namespace: namespace,
          exportedAt: exportedAt,
          sequence: select.optionalInteger(7),
          isPartial: select.integer(8) != 0,
          label: select.text(9)
        ),
        state: state,
        isRetracted: select.integer(11) != 0,
        cursor: SourceCursor(entry: Int(select.integer(12)), row: Int(select.integer(13))),
        tally: TallyText.decode(select.bytes(14)),
        exportedAt: Instant(exportedAt)
      )
      sources[record.number] = record
      numbers[record.description.key] = record.number
    }
  }

  func isActive(_ source: Int) -> Bool { sources[source]?.isActive ?? false }

  func source(_ key: SourceKey) -> SourceRecord? { numbers[key].flatMap { sources[$0] } }

  /// All, in the order in which they came.
  var all: [SourceRecord] { sources.values.sorted { $0.number < $1.number } }

  func add(_ description: SourceDescription) throws(RasdError) -> SourceRecord {
    let insert = try connection.statement(
      """
      INSERT INTO sources (export_id, manifest, jsonl, origin, nsid, exported_at, sequence,
        is_partial, label, state, entry, row, tally)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, 0, '{}')
      """
    )
    try insert.bind(1, text: description.key.exportId)
    try insert.bind(2, description.key.manifest)
    try insert.bind(3, description.key.jsonl)
    try insert.bind(4, text: description.origin.rawValue)
    try insert.bind(5, Int64(try names.number(description.namespace)))
    try insert.bind(6, text: description.exportedAt)
    try insert.bind(7, description.sequence)
    try insert.bind(8, description.isPartial ? 1 : 0)
    try insert.bind(9, text: description.label)
    try insert.run()
    let record = SourceRecord(
      number: Int(connection.lastInsertedRow),
      description: description,
      state: .merging,
      isRetracted: false,
      cursor: SourceCursor(),
      tally: [:],
      exportedAt: Instant(description.exportedAt)
    )
    sources[record.number] = record
    numbers[description.key] = record.number
    return record
  }

  func update(_ record: SourceRecord) throws(RasdError) {
    let update = try connection.statement(
      """
      UPDATE sources SET state = ?2, retracted = ?3, entry = ?4, row = ?5, tally = ?6
      WHERE source = ?1
      """
    )
    try update.bind(1, Int64(record.number))
    try update.bind(2, record.state.rawValue)
    try update.bind(3, record.isRetracted ? 1 : 0)
    try update.bind(4, Int64(record.cursor.entry))
    try update.bind(5, Int64(record.cursor.row))
    try update.bind(6, text: TallyText.encode(record.tally))
    try update.run()
    sources[record.number] = record
  }
}

/// Outcomes by table as a JSON object of objects.
enum TallyText {
  static func encode(_ tally: [TableName: RowTally]) -> String {
    let members = tally.sorted { $0.key < $1.key }.map { table, counts in
      JSONValue.Member(
        table.text,
        .object(
          RowOutcome.allCases.filter { counts[$0] > 0 }.map {
            JSONValue.Member($0.rawValue, .number(JSONNumber(Int64(counts[$0]))))
          }
        )
      )
    }
    var bytes: [UInt8] = []
    JSONValue.object(members).write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func decode(_ text: [UInt8]) -> [TableName: RowTally] {
    guard let members = (try? JSONValue.parse(text))?.members else { return [:] }
    var tally: [TableName: RowTally] = [:]
    for member in members {
      guard let table = TableName(member.name) else { continue }
      for count in member.value.members ?? [] {
        guard let outcome = RowOutcome(rawValue: count.name), let number = count.value.int else {
          continue
        }
        tally[table, default: RowTally()][outcome] = Int(number)
      }
    }
    return tally
  }
}
