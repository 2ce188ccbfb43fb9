import RasdCrypto
import RasdMerge
import RasdModel
import TestSupport

@testable import RasdStore

/// A store in a directory of its own, and rows to put in it.
struct StoreFixture {
  let directory: TemporaryDirectory
  let key = RawKey(SecureRandom.secret(32))

  init() throws { directory = try TemporaryDirectory() }

  func path(_ name: String = "store") -> String { directory.file(name) }

  var credentials: Credentials {
    var credentials = Credentials()
    credentials.add(.rawKey(key), source: "test")
    return credentials
  }

  func create(_ name: String = "store", org: String? = nil) throws -> Store {
    try Store.create(at: path(name), org: org) { key, id in
      [.key(RawKeySlot(key, of: id, for: self.key))]
    }
  }

  func open(_ name: String = "store", _ access: Store.Access = .writing) throws -> Store {
    try Store.open(at: path(name), credentials: credentials, access: access)
  }
}

/// A device's export as a store sees it.
struct TestExport {
  var namespace: String
  var exportedAt = "2026-09-03T14:05:11.000Z"
  var sequence: Int64?
  var origin = SourceOrigin.device
  var isPartial = false
  var rows: [(table: String, text: String)] = []
  var blobs: [(id: String, bytes: [UInt8])] = []

  init(_ namespace: String, _ rows: [(String, String)] = []) {
    self.namespace = namespace
    self.rows = rows.map { (table: $0.0, text: $0.1) }
  }

  var description: SourceDescription {
    get throws {
      var bytes = Array("\(namespace) \(exportedAt)\n".utf8)
      for row in rows { bytes += Array("\(row.table) \(row.text)\n".utf8) }
      for blob in blobs { bytes += Array(blob.id.utf8) + blob.bytes }
      let digest = SHA256.digest(bytes.span)
      return SourceDescription(
        key: SourceKey(
          exportId: UUIDText.version4(random: Array(digest.bytes.prefix(16))),
          manifest: digest,
          jsonl: digest
        ),
        origin: origin,
        namespace: try require(Namespace(namespace)),
        exportedAt: exportedAt,
        sequence: sequence,
        isPartial: isPartial,
        label: "\(namespace).rasdx"
      )
    }
  }

  /// The names of its tables in order.
  var tables: [TableName] {
    rows.reduce(into: []) { tables, row in
      if let table = TableName(row.table), !tables.contains(table) { tables.append(table) }
    }
  }

  /// Puts all of it into a store, `batch` rows a transaction.
  @discardableResult
  func take(into store: Store, policy: IntakePolicy = IntakePolicy(), batch: Int = 200) throws
    -> [TableName: RowTally]
  {
    let session = try store.begin(try description, tables: tables, policy: policy)
    var reader = RowReader(sha256: SHA256.digest)
    for blob in blobs {
      var writer = try store.vault.writer()
      try writer.write(blob.bytes.span)
      try session.hold(try writer.finish(), id: blob.id, mime: nil)
    }
    for (i, row) in rows.enumerated() where i >= session.cursor.row {
      let table = try require(TableName(row.table))
      let text = Array(row.text.utf8)
      do {
        let read = try reader.read(
          line: text.span,
          table: table,
          namespace: try require(Namespace(namespace))
        )
        _ = try session.add(PreparedRow(read))
      } catch let rejection as RowRejection {
        _ = try session.reject(table, line: i + 1, rejection, text: text)
      }
      if (i + 1) % batch == 0 { try session.commit(at: SourceCursor(row: i + 1)) }
    }
    try session.finish()
    return session.tally
  }
}

struct Missing: Error {}

/// What must be there for a test to go on.
func require<T>(_ value: T?) throws -> T {
  guard let value else { throw Missing() }
  return value
}

/// Rows in the members of the format.
enum TestRow {
  static func submission(
    _ id: String,
    rev: Int = 1,
    status: String = "draft",
    answer: String = "a",
    updatedAt: String = "2026-09-01T06:00:00Z",
    extra: String = ""
  ) -> (String, String) {
    (
      "submissions",
      #"{"id":"\#(id)","formId":"household","formVersion":"1.0.0","status":"\#(status)","#
        + #""clientRev":\#(rev),"createdAt":"2026-09-01T05:00:00Z","updatedAt":"\#(updatedAt)""#
        + #"\#(extra),"data":{"answer":"\#(answer)","filler":"\#(String(repeating: "x", count: 200))"}}"#
    )
  }

  static func attachment(
    _ id: String,
    of submission: String,
    sha256: String,
    bytes: Int,
    status: String = "pending",
    updatedAt: String = "2026-09-01T06:00:00Z"
  ) -> (String, String) {
    (
      "attachments",
      #"{"id":"\#(id)","submissionId":"\#(submission)","field":"photo","mime":"image/jpeg","#
        + #""bytes":\#(bytes),"sha256":"\#(sha256)","status":"\#(status)","uploadOffset":0,"#
        + #""createdAt":"2026-09-01T05:00:00Z","updatedAt":"\#(updatedAt)"}"#
    )
  }

  static func dataset(
    _ name: String,
    _ key: String,
    label: String = "l",
    deleted: Bool = false,
    updatedAt: String = "2026-09-01T06:00:00Z"
  ) -> (String, String) {
    (
      "datasets",
      #"{"name":"\#(name)","key":"\#(key)","labelNorm":"\#(label)","updatedAt":"\#(updatedAt)","#
        + #""deleted":\#(deleted),"row":{"label":"\#(label)"}}"#
    )
  }

  static func kv(_ key: String, _ value: String) -> (String, String) {
    ("kv", #"{"key":"\#(key)","value":"\#(value)","updatedAt":"2026-09-01T06:00:00Z"}"#)
  }

  static func id(_ number: Int) -> String {
    let digits = String(number)
    return "0199a7c2-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }
}
