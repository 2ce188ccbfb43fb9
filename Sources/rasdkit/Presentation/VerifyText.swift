import RasdModel
import RasdPipeline
import RasdReport

/// What `verify` proved, one line an export.
struct VerifyText: Presentable {
  let proved: [VerifyJob.Proved]
  let refused: Int

  func text(_ terminal: Terminal) -> String {
    guard !proved.isEmpty else { return "" }
    var table = TextTable(heading: ["export", "namespace", "rows", "rejected", "blobs", "bytes"])
    for one in proved { table.add(line(SafeText.escape(one.path), one)) }
    table.rule()
    let rows = proved.reduce(0) { $0 + $1.rows.rows }
    table.add([
      "\(proved.count) whole", "", Units.count(rows),
      Units.count(proved.reduce(0) { $0 + $1.rows[.rejected] }),
      Units.count(proved.reduce(0) { $0 + $1.blobs }),
      Units.bytes(proved.reduce(0) { $0 + $1.blobBytes }),
    ])
    guard refused > 0 else { return table.text(terminal) }
    return table.text(terminal) + """
      \(Units.count(proved.count)) whole + \(Units.count(refused)) refused \
      = \(Units.count(proved.count + refused)) sources

      """
  }

  private func line(_ path: String, _ one: VerifyJob.Proved) -> [String] {
    [
      path, one.identity.namespace ?? "", Units.count(one.rows.rows),
      Units.count(one.rows[.rejected]), Units.count(one.blobs), Units.bytes(one.blobBytes),
    ]
  }

  var members: Members {
    var members = Members()
    members.add("exports", each: proved.map(Self.members))
    members.add("refused", refused)
    return members
  }

  private static func members(_ one: VerifyJob.Proved) -> Members {
    var members = Members()
    members.add("path", one.path)
    members.add("exportId", one.identity.exportId)
    members.add("namespace", one.identity.namespace)
    members.add("rows", one.rows.rows)
    members.add("rejected", one.rows[.rejected])
    members.add("blobs", one.blobs)
    members.add("blobBytes", one.blobBytes)
    return members
  }
}
