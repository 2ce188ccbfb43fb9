import Glibc
import RasdContainer
import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

/// What a reader sees, one JSON object a line, and every held blob under its attachment's id.
///
/// The same store gives the same bytes.
struct JSONLExport {
  private let reading: StoreReading

  init(_ reading: StoreReading) { self.reading = reading }

  /// File names longer than this are cut and told apart by a hash.
  private static let longestName = 120

  func write(to path: String, _ overwriting: Overwriting) throws(RasdError) -> ExportJob.Written {
    var written = ExportJob.Written(path: path, format: .jsonl, identity: nil)
    let folder = try OutputFolder(path, overwriting, reading.run)
    for table in try reading.tables() {
      var rows = 0
      try folder.write("\(table.text).jsonl") { (output) throws(RasdError) in
        try reading.forEachRow(of: table) { (row) throws(RasdError) in
          try output.append(line: row.jsonl)
          rows += 1
        }
      }
      written.rows.append((table, rows))
    }
    if reading.selection.takes(.attachments) { try writeBlobs(into: folder, &written) }
    if reading.selection.takes(.submissions), !reading.selection.choosesSubmissions {
      try folder.write("submission_versions.jsonl") { (output) throws(RasdError) in
        try reading.store.forEachVersionLine { (line) throws(RasdError) in
          try output.append(line: line)
        }
      }
    }
    folder.finish()
    return written
  }

  private func writeBlobs(
    into folder: OutputFolder,
    _ written: inout ExportJob.Written
  ) throws(RasdError) {
    try folder.makeFolder("attachments")
    try reading.forEachHeldBlob { (id, blob, _) throws(RasdError) in
      try folder.write("attachments/\(Self.fileName(id))") { (output) throws(RasdError) in
        try blob.forEachPart { (part) throws(RasdError) in try output.append(part) }
      }
      written.blobs += 1
      written.blobBytes += blob.bytes
    }
  }

  /// An id as a file name: escaped as in an export's entries, hashed past its longest.
  static func fileName(_ id: String) -> String {
    // A table may have no name at all; its file would be a hidden one.
    guard !id.isEmpty else { return "%" }
    let name = EntryEscape.escape(id)
    guard name.utf8.count > longestName else { return name }
    return SHA256.digest(Array(id.utf8).span).hex
  }
}
