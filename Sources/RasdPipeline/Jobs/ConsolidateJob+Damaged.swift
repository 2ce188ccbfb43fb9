import RasdCrypto
import RasdModel
import RasdReport
import RasdStore

extension ConsolidateJob {
  /// Merges the rows of a damaged export that verify on their own, and its blobs that are whole, as
  /// salvaged ones (merge, §What may enter); says what is missing and what was left out.
  func merge(
    _ source: DamagedSource,
    _ credentials: Credentials,
    with merger: Merger,
    _ consolidation: inout Consolidation
  ) throws(RasdError) {
    let run = merger.run
    // What is left of an export stands for no more than its own rows.
    guard !options.replaces else {
      throw RasdError(.unavailable, .cannotReplace, ["path": .text(source.path)])
    }
    var rules = SalvageJob.Options()
    rules.allowsPlaintext = options.allowsPlaintext
    let job = RescueJob(path: source.path, keys: keys, to: .store(place), options: rules)
    let shelved = try job.shelve(credentials, .proved, run)
    var damage = source.damage
    damage.details["path"] = .text(source.path)
    try run.find(damage)
    try find(shelved.rescued.grades[.plausible], .checksumAbsent, of: source, run)
    try find(shelved.rescued.grades[.contradicted], .rowChecksumMismatch, of: source, run)
    let spool = try shelved.export.spool(as: source.path, source: shelved.source).export
    if let tables = try merger.take(spool, counting: .merged) { consolidation.add(spool, tables) }
  }

  /// Says of how many rows something kept them out.
  private func find(
    _ count: Int?,
    _ reason: Reason,
    of source: DamagedSource,
    _ run: Run
  ) throws(RasdError) {
    guard let count else { return }
    try run.find(
      FindingEvent(
        .warning,
        reason,
        code: .integrity,
        subject: ["path": .text(source.path)],
        details: ["count": .number(Int64(count))]
      )
    )
  }
}
