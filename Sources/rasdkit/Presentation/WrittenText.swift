import RasdModel
import RasdPipeline
import RasdReport

/// What an export holds, one line a table.
struct WrittenText: Presentable {
  let written: ExportJob.Written

  func text(_ terminal: Terminal) -> String {
    var table = TextTable(heading: ["table", "rows"])
    for (name, rows) in written.rows { table.add([name.text, Units.count(rows)]) }
    table.rule()
    table.add(["total", Units.count(written.rows.reduce(0) { $0 + $1.rows })])
    return table.text(terminal) + """
      \(Units.count(written.blobs)) blobs (\(Units.bytes(written.blobBytes)))
      \(SalvageText.place(written.path, isWritten: written.isWritten))
      """
  }

  var members: Members {
    var members = Members()
    members.add("path", written.path)
    members.add("format", written.format.rawValue)
    members.add("exportId", written.identity?.exportId)
    members.add("namespace", written.identity?.namespace)
    var rows = Members()
    for (table, count) in written.rows { rows.add(table.text, count) }
    members.add("rows", rows)
    members.add("blobs", written.blobs)
    members.add("blobBytes", written.blobBytes)
    return members
  }
}
