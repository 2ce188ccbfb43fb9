internal import RasdModel
internal import SQLCipherKit

/// One step of a store's schema: ordered, forward-only, never changed once released
/// (Rasd storage specification, §6).
struct Migration: Sendable {
  /// `0001_observations`: sorts in the order of application.
  let id: String
  /// `PRAGMA user_version` when the step is done.
  let target: Int
  /// The text whose SHA-256 is the step's checksum: its SQL, or a data step's description.
  let source: String
  let step: Step

  enum Step: Sendable {
    /// The source is run, in one transaction.
    case schema
    /// One chunk a transaction: given the cursor of the chunk before, it answers its own, or
    /// nil when nothing is left.
    case data(@Sendable (Connection, String?) throws(RasdError) -> String?)
  }

  init(id: String, target: Int, source: String, step: Step = .schema) {
    self.id = id
    self.target = target
    self.source = source
    self.step = step
  }
}
