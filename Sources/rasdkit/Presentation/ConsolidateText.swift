import RasdModel
import RasdPipeline
import RasdReport

/// What `consolidate` did, one line a device; the last line adds up.
struct ConsolidateText: Presentable {
  let consolidation: Consolidation

  private static let outcomes = RowOutcome.allCases

  func text(_ terminal: Terminal) -> String {
    let devices = consolidation.devices
    guard !devices.isEmpty else { return "" }
    var table = TextTable(
      heading: ["device", "exports", "rows"] + Self.outcomes.map(\.rawValue)
        + ["blobs", "last export"]
    )
    for device in devices {
      table.add(
        [SafeText.escape(device.namespace), Units.count(device.exports)] + Self.cells(device.rows)
          + [Units.count(device.blobs), SafeText.escape(device.lastExport)]
      )
    }
    table.rule()
    table.add(
      [devices.count == 1 ? "1 device" : "\(devices.count) devices"]
        + [Units.count(devices.reduce(0) { $0 + $1.exports })] + Self.cells(consolidation.total)
        + [Units.count(devices.reduce(0) { $0 + $1.blobs }), ""]
    )
    return table.text(terminal) + sources + restored + conflicts + sum
  }

  /// The sources that made the table, beside those that did not.
  private var sources: String {
    let refused = consolidation.refused
    guard refused > 0 else { return "" }
    let merged = consolidation.devices.reduce(0) { $0 + $1.exports }
    return """
      \(Units.count(merged)) merged + \(Units.count(refused)) refused \
      = \(Units.count(merged + refused)) sources

      """
  }

  private var restored: String {
    let count = consolidation.restored
    guard count > 0 else { return "" }
    return """
      \(Units.count(count)) \(count == 1 ? "blob" : "blobs") that the store had lost brought back

      """
  }

  /// The proof that no row was lost on the way.
  private var sum: String {
    let total = consolidation.total
    return """
      \(Units.count(total.imported)) imported + \(Units.count(total.skipped)) skipped \
      + \(Units.count(total[.conflict])) conflicts + \(Units.count(total[.rejected])) rejected \
      = \(Units.count(total.rows)) rows read

      """
  }

  /// What a person is to decide, whichever run brought it.
  private var conflicts: String {
    let count = consolidation.conflicts
    guard count > 0 else { return "" }
    return """
      \(Units.count(count)) in conflict in the store: --report FILE names \
      \(count == 1 ? "it" : "them"), both sides

      """
  }

  private static func cells(_ rows: RowTally) -> [String] {
    [Units.count(rows.rows)] + outcomes.map { Units.count(rows[$0]) }
  }

  var members: Members {
    let total = consolidation.total
    var members = Members()
    members.add("devices", each: consolidation.devices.map(Self.members))
    members.add("imported", total.imported)
    members.add("skipped", total.skipped)
    members.add("conflicts", total[.conflict])
    members.add("rejected", total[.rejected])
    members.add("rows", total.rows)
    members.add("refused", consolidation.refused)
    members.add("restored", consolidation.restored)
    members.add("storeDigest", consolidation.digest?.hex)
    return members
  }

  private static func members(_ device: Consolidation.Device) -> Members {
    var members = Members()
    members.add("namespace", device.namespace)
    members.add("exports", device.exports)
    members.add("rows", device.rows.rows)
    for outcome in outcomes { members.add(outcome.rawValue, device.rows[outcome]) }
    members.add("blobs", device.blobs)
    members.add("lastExport", device.lastExport)
    return members
  }
}
