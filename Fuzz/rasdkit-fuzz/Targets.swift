import RasdModel

/// One for each parser of foreign bytes.
///
/// A target only has to return: a trap, a sanitizer's report, two seconds or half a gigabyte are
/// what libFuzzer looks for. Where there is a rule that every input keeps, it is checked too.
let targets: [String: @Sendable (Span<UInt8>) -> Void] = [
  "json": ModelTargets.json,
  "row": ModelTargets.row,
  "instant": ModelTargets.instant,
  "key-file": ModelTargets.keyFile,
  "key-slots": ModelTargets.keySlots,
  "export": ContainerTargets.export,
  "manifest": ContainerTargets.manifest,
  "database": SalvageTargets.database,
  "encrypted": SalvageTargets.encrypted,
  "wal": SalvageTargets.wal,
  "journal": SalvageTargets.journal,
  "record": SalvageTargets.record,
  "schema": SalvageTargets.schema,
  "jsonb": SalvageTargets.jsonb,
  "profile": SalvageTargets.profile,
]
