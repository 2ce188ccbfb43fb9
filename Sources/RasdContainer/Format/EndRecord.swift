package import RasdModel

/// What an export holds in all: `end.json` (the format, §end.json).
package struct EndRecord: Hashable, Sendable {
  package struct Table: Hashable, Sendable {
    package var name: String
    package var rows: Int
    package var parts: Int
    /// Decoded.
    package var bytes: Int

    package init(name: String, rows: Int = 0, parts: Int = 0, bytes: Int = 0) {
      (self.name, self.rows, self.parts, self.bytes) = (name, rows, parts, bytes)
    }
  }

  package struct Blobs: Hashable, Sendable {
    package var count = 0
    package var bytes = 0
    package var parts = 0

    package init(count: Int = 0, bytes: Int = 0, parts: Int = 0) {
      (self.count, self.bytes, self.parts) = (count, bytes, parts)
    }
  }

  package var exportID: String
  /// In the manifest's order.
  package var tables: [Table]
  /// Of all tables, without the inventory.
  package var rows: Int
  package var blobs: Blobs
  /// Every entry but this one and the manifest's copy.
  package var entries: Int
  /// Over the decoded bytes of every stream of rows in order of appearance, the inventory last.
  package var rowsDigest: SHA256Digest

  package init(
    exportID: String,
    tables: [Table],
    rows: Int,
    blobs: Blobs,
    entries: Int,
    rowsDigest: SHA256Digest
  ) {
    self.exportID = exportID
    self.tables = tables
    self.rows = rows
    self.blobs = blobs
    self.entries = entries
    self.rowsDigest = rowsDigest
  }

  /// Throws `unsupported-version` for a record of the future, `count-mismatch` for one that
  /// breaks its rules.
  init(_ bytes: Span<UInt8>) throws(RasdError) {
    guard let json = try? JSONValue.parse(bytes) else { throw Self.invalid("object") }
    guard let version = json["rasdxEnd"]?.number else { throw Self.invalid("rasdxEnd") }
    guard version.double <= 1 else {
      throw RasdError(
        .downgrade,
        .unsupportedVersion,
        ["member": "rasdxEnd", "value": .text(version.text), "entry": "end.json"]
      )
    }
    guard version.integer == 1, let exportID = json["exportId"]?.string,
      let tables = json["tables"]?.array?.map(Self.table), let blobs = json["blobs"],
      let rows = Self.count(json["rows"]), let entries = Self.count(json["entries"]),
      let digest = json["jsonlSha256"]?.string.flatMap({ SHA256Digest(hex: $0) }),
      let count = Self.count(blobs["count"]), let bytes = Self.count(blobs["bytes"]),
      let parts = Self.count(blobs["parts"])
    else { throw Self.invalid("member") }
    self.exportID = exportID
    self.tables = []
    for table in tables {
      guard let table else { throw Self.invalid("tables") }
      self.tables.append(table)
    }
    self.rows = rows
    self.entries = entries
    self.blobs = Blobs(count: count, bytes: bytes, parts: parts)
    rowsDigest = digest
  }

  var json: JSONValue {
    [
      "rasdxEnd": 1,
      "exportId": .string(exportID),
      "tables": .array(
        tables.map {
          [
            "name": .string($0.name), "rows": Self.number($0.rows),
            "parts": Self.number($0.parts), "bytes": Self.number($0.bytes),
          ]
        }
      ),
      "rows": Self.number(rows),
      "blobs": [
        "count": Self.number(blobs.count), "bytes": Self.number(blobs.bytes),
        "parts": Self.number(blobs.parts),
      ],
      "entries": Self.number(entries),
      "jsonlSha256": .string(rowsDigest.hex),
    ]
  }

  private static func table(_ json: JSONValue) -> Table? {
    guard let name = json["name"]?.string, let rows = count(json["rows"]),
      let parts = count(json["parts"]), let bytes = count(json["bytes"])
    else { return nil }
    return Table(name: name, rows: rows, parts: parts, bytes: bytes)
  }

  private static func count(_ json: JSONValue?) -> Int? {
    json?.int.flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }

  private static func invalid(_ member: String) -> RasdError {
    RasdError(.integrity, .countMismatch, ["entry": "end.json", "member": .text(member)])
  }
}
