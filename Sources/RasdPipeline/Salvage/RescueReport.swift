import RasdContainer
import RasdModel
import RasdReport

/// Says what of a damaged export is missing, and gives each entry and each line one fate.
struct RescueReport {
  let path: String
  let export: DamagedExport
  let account: RescueAccount
  let tally: RescueTally
  let run: Run

  func tell() throws(RasdError) {
    for (table, stream) in account.tables.sorted(by: { $0.key < $1.key }) {
      if !stream.gaps.isEmpty { try miss(["table": .text(table.text)], stream.gaps) }
    }
    for id in account.knownBlobs where !account.isWhole(id, tally.blobs[id]) {
      let gaps = account.blobs[id]?.gaps ?? [0..<(account.inventory[id]?.bytes ?? Int.max)]
      try miss(["id": .text(id.text)], gaps)
    }
    if !export.manifestIsWhole { try miss(["entry": "manifest.json"]) }
    // Without its end record nobody knows what else the export held.
    if account.end == nil { try miss(["entry": "end.json"]) }
    for entry in account.lost { try miss(["entry": .text(entry.text)]) }
    if tally.unreadable > 0 {
      try run.find(
        FindingEvent(
          .warning,
          .rowInvalid,
          code: .integrity,
          subject: ["path": .text(path)],
          details: ["count": .number(Int64(tally.unreadable))]
        )
      )
    }
    try run.emit(ledger)
  }

  /// Each entry and each line in exactly one number.
  private var ledger: SalvageLedgerEvent {
    SalvageLedgerEvent(
      path: path,
      pages: [
        "whole": account.whole, "inPart": account.inPart.count, "lost": account.lost.count,
      ],
      rows: tally.grades.sorted { $0.key < $1.key }.map { table, counts in
        let lines = counts.map { ("live.\($0.key.rawValue)", $0.value) }
        return (table.text, Dictionary(uniqueKeysWithValues: lines))
      },
      candidates: tally.delivered + tally.unreadable,
      delivered: tally.delivered,
      others: [
        "leftovers": 0, "duplicates": 0, "schemaRows": 0, "undecodable": tally.unreadable,
        "implausible": 0,
      ]
    )
  }

  /// Says which rows of a table, or bytes of a blob, or entries are not there.
  private func miss(
    _ what: [String: RasdError.Detail],
    _ gaps: [Range<Int>] = []
  ) throws(RasdError) {
    let words = gaps.map { gap in
      gap.upperBound == .max
        ? "\(gap.lowerBound) to the end" : "\(gap.lowerBound)-\(gap.upperBound - 1)"
    }
    try run.find(
      FindingEvent(
        .warning,
        .entryDamaged,
        code: .corrupt,
        subject: ["path": .text(path)].merging(what) { $1 },
        details: words.isEmpty ? [:] : ["missing": .list(words)]
      )
    )
  }
}
