import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdSalvage

/// The folder that a salvage fills: `rows/<table>.jsonl`, `files/<table>/<id>`, `recovered.db` and
/// `pages.svg`.
///
/// Used from the one task that the rows come from.
final class SalvageFolder {
  private let folder: OutputFolder
  private let run: Run
  private let isDry: Bool
  private var files: [String: BufferedOutput] = [:]
  /// That of the last row: rows of one table come together.
  private var line: [UInt8] = []
  private var lastOutput: (table: Int, file: BufferedOutput)?
  private let database: RecoveredDatabase?
  private var drawings = 0

  init(_ path: String, _ overwriting: Overwriting, _ run: Run) throws(RasdError) {
    self.run = run
    isDry = run.rules.writing == .dry
    folder = try OutputFolder(path, overwriting, run, holds: Self.isOurs)
    if isDry {
      database = nil
    } else {
      try folder.makeFolder("rows")
      database = try RecoveredDatabase(path: "\(folder.path)/recovered.db")
    }
  }

  /// Whether an earlier salvage may have left a file of this name.
  private static func isOurs(_ name: Substring) -> Bool {
    name == "recovered.db" || name == "recovered.db.tmp" || name.hasPrefix("rows/")
      || name.hasPrefix("attachments/") || name.hasPrefix("files/")
      || name.hasPrefix("\(ExportsBeside.folder)/")
      || (name.hasPrefix("pages") && name.hasSuffix(".svg"))
  }

  /// Takes a page's rows.
  func take(
    _ batch: RowBatch,
    of tables: [SalvageTable],
    _ identity: SourceIdentity
  ) throws(RasdError) {
    for row in batch.rows {
      if !isDry {
        write(row, batch)
        try output(row.table, tables).append(line: line)
      }
      if run.rules.rows == .all || row.isNews {
        try run.emit(RowEvent(salvaged: row, batch, table: tables[row.table], identity))
      }
    }
    try database?.insert(batch, of: tables)
    for document in batch.documents where document.isNew { try take(document) }
  }

  /// Writes a document's bytes, where a hole is zeros, and says so where no row names it.
  private func take(_ document: SalvagedDocument) throws(RasdError) {
    try run.interrupt.check()
    if !document.isListed {
      try run.find(
        FindingEvent(
          .warning,
          .blobWithoutRow,
          subject: ["id": .text(document.id), "table": .text(document.table)],
          details: document.holes.isEmpty ? [:] : ["missing": .list(document.holeWords)]
        )
      )
    }
    guard !isDry, document.chunkCount > 0 || document.length == 0 else { return }
    let place = "files/\(JSONLExport.fileName(document.table))"
    try folder.makeFolder("files")
    try folder.makeFolder(place)
    var name = "\(place)/\(JSONLExport.fileName(document.id))"
    // Two databases of one folder may have documents of one id.
    while PathFacts.exists("\(folder.path)/\(name)") { name += "~" }
    try folder.write(name) { (output) throws(RasdError) in
      try document.read { (stretch) throws(RasdError) in
        switch stretch {
        case .bytes(let bytes): try output.append(bytes)
        case .hole(let count): try output.skip(Int(count))
        }
      }
    }
  }

  private func output(_ index: Int, _ tables: [SalvageTable]) throws(RasdError) -> BufferedOutput {
    if let (last, file) = lastOutput, last == index { return file }
    let file = try output(tables[index].name)
    lastOutput = (index, file)
    return file
  }

  private func output(_ table: String) throws(RasdError) -> BufferedOutput {
    if let file = files[table] { return file }
    let name = JSONLExport.fileName(table)
    let file = try BufferedOutput("\(folder.path)/rows/\(name).jsonl", .refused)
    files[table] = file
    return file
  }

  /// Writes a row into `line`, whose memory is used again.
  private func write(_ row: SalvagedRow, _ batch: RowBatch) {
    let json = batch.json(of: row)
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: #"{"row":"#.utf8)
    line.append(contentsOf: json)
    line.append(contentsOf: #","grade":""#.utf8)
    line.append(contentsOf: row.grade.rawValue.utf8)
    line.append(contentsOf: #"","kind":""#.utf8)
    line.append(contentsOf: row.kind.rawValue.utf8)
    line.append(contentsOf: #"""#.utf8)
    if let holes = batch.holes(of: row) {
      let list = holes.map { #"{"offset":\#($0.lowerBound),"length":\#($0.count)}"# }
      line.append(contentsOf: #","holes":[\#(list.joined(separator: ","))]"#.utf8)
    }
    line.append(contentsOf: #","provenance":{"file":""#.utf8)
    line.append(contentsOf: batch.origin.words.utf8)
    line.append(contentsOf: #"","page":"#.utf8)
    line.append(contentsOf: "\(row.page)".utf8)
    line.append(contentsOf: #","cell":"#.utf8)
    line.append(contentsOf: row.cell < 0 ? "null".utf8 : "\(row.cell)".utf8)
    line.append(contentsOf: #","offset":"#.utf8)
    line.append(contentsOf: "\(row.fileOffset)".utf8)
    line.append(contentsOf: #","verdict":""#.utf8)
    line.append(contentsOf: row.verdict.rawValue.utf8)
    line.append(contentsOf: #"""#.utf8)
    if row.notes != [] {
      line.append(contentsOf: #","notes":["#.utf8)
      line.append(contentsOf: row.notes.words.map { "\"\($0)\"" }.joined(separator: ",").utf8)
      line.append(contentsOf: "]".utf8)
    }
    line.append(contentsOf: "}}".utf8)
  }

  /// Draws the page map of one database.
  func draw(_ salvage: Salvage, _ source: PageSource, name: String) throws(RasdError) {
    guard !isDry else { return }
    drawings += 1
    let file = drawings == 1 ? "pages.svg" : "pages-\(drawings).svg"
    try folder.write(file) { (output) throws(RasdError) in
      try PageMapDrawing(salvage, title: name).write(to: output)
    }
  }

  /// Copies the files of attachments, each under its attachment's id.
  func copy(_ attachments: SalvagedAttachments) throws(RasdError) {
    guard !isDry, !attachments.held.isEmpty else { return }
    try folder.makeFolder("attachments")
    for held in attachments.held {
      try run.interrupt.check()
      try folder.write("attachments/\(JSONLExport.fileName(held.id))") {
        (output) throws(RasdError) in
        try held.file.read { (bytes) throws(RasdError) in
          try output.append([UInt8](copying: bytes))
        }
      }
    }
  }

  func finish() throws(RasdError) {
    for table in files.keys.sorted() { try files[table]?.commit() }
    try database?.finish()
    folder.finish()
  }
}

extension SalvagedRow {
  /// Whether a report names it without being asked for every row.
  fileprivate var isNews: Bool { kind != .live || grade < .plausible || verdict.isFailed }
}

extension RowBatch {
  /// What is missing of the document that a row names; nil where nothing is.
  fileprivate func holes(of row: SalvagedRow) -> [Range<Int64>]? {
    row.document.map { documents[$0].holes }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension SalvagedDocument {
  /// Its holes as a report has them, first and last byte of each.
  fileprivate var holeWords: [String] { holes.map { "\($0.lowerBound)-\($0.upperBound - 1)" } }
}

extension PageOrigin {
  /// The file that offsets are into, among those of a database.
  var words: String {
    switch self {
    case .database: "database"
    case .wal(let file, let frame, let state): "wal \(file) frame \(frame) \(state.rawValue)"
    case .journal(let file, let record): "journal \(file) record \(record)"
    case .olderCopy(let file): "older copy \(file)"
    }
  }
}

extension RowEvent {
  fileprivate init(
    salvaged row: SalvagedRow,
    _ batch: RowBatch,
    table: SalvageTable,
    _ identity: SourceIdentity
  ) {
    var provenance = Provenance(identity: identity)
    provenance.page = Int(row.page)
    provenance.cell = row.cell < 0 ? nil : row.cell
    provenance.offset = Int(clamping: row.fileOffset)
    provenance.verdict = row.verdict.rawValue
    provenance.kind = row.kind
    self.init(table: table.name, key: nil, grade: row.grade, provenance: provenance)
    guard let document = row.document.map({ batch.documents[$0] }) else { return }
    if !document.holes.isEmpty {
      error = RasdError(.corrupt, .bytesMissing, ["missing": .list(document.holeWords)])
    } else if row.grade == .contradicted {
      error = RasdError(.integrity, .blobHashMismatch)
    }
  }
}
