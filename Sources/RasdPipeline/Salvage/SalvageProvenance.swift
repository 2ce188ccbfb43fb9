import RasdModel
import RasdReport
import RasdSalvage

/// Where in which evidence a row was found.
struct SalvageProvenance {
  private var members = Members()

  /// A row of a database.
  init(_ row: SalvagedRow, _ origin: PageOrigin, _ database: SHA256Digest) {
    members.add("fileSha256", database.hex)
    members.add("file", origin.words)
    members.add("page", Int(row.page))
    members.add("cell", row.cell < 0 ? nil : row.cell)
    members.add("offset", Int(clamping: row.fileOffset))
    members.add("verdict", row.verdict.rawValue)
  }

  /// A line of a damaged export, `line` counting from 1 in its table.
  init(entry: String, line: Int, offset: Int, _ file: SHA256Digest) {
    members.add("fileSha256", file.hex)
    members.add("entry", entry)
    members.add("line", line)
    members.add("offset", offset)
  }

  /// As a JSON object.
  var json: [UInt8] { members.object.text }
}

extension Provenance {
  /// As a report has what an entry's provenance says.
  init(_ entry: SalvagedEntry, _ identity: SourceIdentity) {
    self.init(identity: identity)
    let facts = try? JSONValue.parse(entry.provenance.span)
    func number(_ name: String) -> Int? { facts?[name]?.int.map { Int(clamping: $0) } }
    self.entry = facts?["entry"]?.string
    (line, page, cell, offset) = (number("line"), number("page"), number("cell"), number("offset"))
    verdict = facts?["verdict"]?.string
    kind = entry.kind
  }
}
