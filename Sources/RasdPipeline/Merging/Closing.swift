import RasdMerge
import RasdModel
import RasdReport
import RasdStore

/// What is said of a store at the end of a run: findings of the whole set, both sides of what
/// stands in conflict, and the digest.
struct Closing {
  let store: Store
  let run: Run

  func report(into consolidation: inout Consolidation) throws(RasdError) {
    run.progress.finish()
    let digest = try store.digest(aside: run.rules.jobs > 1) { () throws(RasdError) in
      try store.forEachFinding { (finding) throws(RasdError) in
        try run.interrupt.check()
        try run.find(event(of: finding))
      }
      try store.forEachConflict { (conflict) throws(RasdError) in
        consolidation.conflicts += 1
        try run.emit(event(of: conflict, conflict.seen))
        for side in conflict.others { try run.emit(event(of: conflict, side)) }
      }
    }
    consolidation.digest = digest
    run.storeDigest = digest
    try run.flush()
  }

  private func event(of finding: Finding) -> FindingEvent {
    var subject: [String: RasdError.Detail] = [:]
    if let key = finding.keys.first {
      subject["table"] = .text(key.table.text)
      subject["keys"] = .list(finding.keys.map { text(of: $0) })
    }
    let exports = finding.sources.compactMap { store.source(number: $0)?.description.key.exportId }
    if !exports.isEmpty { subject["exports"] = .list(exports) }
    if let blob = finding.blob { subject["sha256"] = .text(blob.hex) }
    return FindingEvent(
      finding.severity,
      finding.reason,
      code: finding.code,
      subject: subject,
      details: finding.details
    )
  }

  /// A key as one text: its parts, as they may be shown.
  private func text(of key: RowKey) -> String {
    switch run.shade.json(key) {
    case .string(let one): one
    case let parts: (parts.array ?? []).compactMap(\.string).joined(separator: " ")
    }
  }

  private func event(of conflict: StoredConflict, _ side: StoredConflict.Side) -> RowEvent {
    let source = side.sources.first.flatMap { store.source(number: $0)?.description }
    return RowEvent(
      table: conflict.key.table.text,
      key: run.shade.json(conflict.key),
      outcome: .conflict,
      grade: side.grade,
      hash: side.hash,
      differs: side.differs,
      provenance: Provenance(
        identity: SourceIdentity(
          exportId: source?.key.exportId,
          manifest: source?.key.manifest,
          namespace: side.namespaces.first?.text
        )
      )
    )
  }
}
