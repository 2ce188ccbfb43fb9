import RasdContainer
import RasdModel
import RasdReport

/// The folder that a rescue fills: `rows/<table>.jsonl` and `attachments/<id>`, where a hole of a
/// blob is zeros.
///
/// Used from the one thread that the rescue runs on.
final class RescueFolder: RescueTarget {
  private let folder: OutputFolder
  private let isDry: Bool
  private var files: [TableName: BufferedOutput] = [:]
  private var blob: BufferedOutput?

  init(_ path: String, _ overwriting: Overwriting, _ run: Run) throws(RasdError) {
    isDry = run.rules.writing == .dry
    folder = try OutputFolder(path, overwriting, run) {
      $0.hasPrefix("rows/") || $0.hasPrefix("attachments/")
    }
    guard !isDry else { return }
    try folder.makeFolder("rows")
    try folder.makeFolder("attachments")
  }

  func take(
    _ line: Span<UInt8>,
    _ table: TableName,
    _ grade: Grade,
    _ place: RescuePlace,
    number: Int
  ) throws(RasdError) {
    guard !isDry else { return }
    var text = Array(#"{"row":"#.utf8)
    text.append(bytes: line)
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

  func begin(_ blob: BlobID) throws(RasdError) {
    guard !isDry else { return }
    let name = JSONLExport.fileName(blob.text)
    self.blob = try BufferedOutput("\(folder.path)/attachments/\(name)", .refused)
  }

  func append(_ bytes: Span<UInt8>) throws(RasdError) {
    try blob?.append([UInt8](copying: bytes))
  }

  func skip(_ count: Int) throws(RasdError) { try blob?.skip(count) }

  func end(_ id: BlobID) throws(RasdError) { try blob.take()?.commit() }

  /// Gives every file its name.
  func finish() throws(RasdError) {
    for table in files.keys.sorted() { try files[table]?.commit() }
    folder.finish()
  }
}
