import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport

/// The folder that a rescue fills: `rows/<table>.jsonl` and `attachments/<id>`, where a hole of a
/// blob is zeros.
///
/// Used from the one thread that the rescue runs on.
final class RescueFolder: RescueTaker {
  private let folder: OutputFolder
  private let namespace: Namespace
  private let run: Run
  private let isDry: Bool
  private var reader = RescueReader()
  private var files: [TableName: BufferedOutput] = [:]
  private var blob: OpenBlob?
  private var digests: [BlobID: SHA256Digest] = [:]
  private(set) var grades: [TableName: [Grade: Int]] = [:]
  /// Lines that open and are no rows.
  private(set) var unreadable = 0

  private final class OpenBlob {
    let id: BlobID
    let file: BufferedOutput?
    var position = 0
    var digest = SHA256()

    init(_ id: BlobID, _ file: BufferedOutput?) { (self.id, self.file) = (id, file) }
  }

  init(
    _ path: String,
    _ overwriting: Overwriting,
    _ namespace: Namespace,
    _ run: Run
  ) throws(RasdError) {
    (self.namespace, self.run) = (namespace, run)
    isDry = run.rules.writing == .dry
    folder = try OutputFolder(path, overwriting, run) {
      $0.hasPrefix("rows/") || $0.hasPrefix("attachments/")
    }
    guard !isDry else { return }
    try folder.makeFolder("rows")
    try folder.makeFolder("attachments")
  }

  func row(
    _ line: Span<UInt8>,
    _ table: TableName,
    _ place: RescuePlace,
    number: Int
  ) throws(RasdError) {
    guard let grade = reader.grade(of: line, table, namespace, place) else {
      unreadable += 1
      return
    }
    grades[table, default: [:]][grade, default: 0] += 1
    run.progress.advance(rows: 1)
    guard !isDry else { return }
    var text = Array(#"{"row":"#.utf8)
    for i in line.indices { text.append(line[i]) }
    text += Array(
      #"""
      ,"grade":"\#(grade.rawValue)","kind":"live","provenance":{"entry":"\#(place.entry.text)",\#
      "line":\#(number + 1),"offset":\#(place.offset)}}
      """#.utf8
    )
    try file(table).append(line: text)
  }

  private func file(_ table: TableName) throws(RasdError) -> BufferedOutput {
    if let file = files[table] { return file }
    let file = try BufferedOutput("\(folder.path)/rows/\(table.text).jsonl", .refused)
    files[table] = file
    return file
  }

  func blob(
    _ bytes: Span<UInt8>,
    _ id: BlobID,
    _ place: RescuePlace,
    offset: Int
  ) throws(RasdError) {
    if blob?.id != id { try open(id) }
    guard let current = blob, offset >= current.position else { return }
    let hole = [UInt8](repeating: 0, count: min(offset - current.position, Self.longestHole))
    guard current.position + hole.count == offset else { return }
    try current.file?.append(hole)
    current.digest.update(hole.span)
    var piece: [UInt8] = []
    piece.reserveCapacity(bytes.count)
    for i in bytes.indices { piece.append(bytes[i]) }
    try current.file?.append(piece)
    current.digest.update(bytes)
    current.position = offset + bytes.count
  }

  /// A hole as long as sixteen full parts is kept in place; what lies behind a longer one is not
  /// worth the disk that a forged offset could fill.
  private static let longestHole = 16 * PartHeader.longestBody

  private func open(_ id: BlobID) throws(RasdError) {
    try closeBlob()
    let name = JSONLExport.fileName(id.text)
    let file =
      isDry || digests[id] != nil
      ? nil : try BufferedOutput("\(folder.path)/attachments/\(name)", .refused)
    blob = OpenBlob(id, file)
  }

  private func closeBlob() throws(RasdError) {
    guard let done = blob else { return }
    blob = nil
    try done.file?.commit()
    if digests[done.id] == nil { digests[done.id] = done.digest.finish() }
  }

  /// Ends every file; the hashes of what was written of each blob.
  func finish() throws(RasdError) -> [BlobID: SHA256Digest] {
    try closeBlob()
    for table in files.keys.sorted() { try files[table]?.commit() }
    folder.finish()
    return digests
  }
}
