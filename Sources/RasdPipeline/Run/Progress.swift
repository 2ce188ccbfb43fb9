import Synchronization

/// How far a run is, written by its workers and read by whoever shows it.
package final class Progress: Sendable {
  /// What the run is at; the raw value is what reports and people read.
  package enum Phase: String, Sendable {
    case looking, opening, verifying, merging, writing, checking, recovering, finishing
  }

  package struct Standing: Sendable {
    package var phase: Phase = .looking
    /// Bytes of this phase in all, and how many of them are proved and merged.
    package var total = 0
    package var verified = 0
    package var merged = 0
    /// What merging a byte takes, in the time of proving one; nothing where none is merged.
    package var mergeWeight = 0
    /// Sources of this run, finished and in all.
    package var sourcesDone = 0
    package var sources = 0
    package var rows = 0
    /// Rises by one each time a phase begins, so that a rate starts anew.
    package var phases = 0

    /// Bytes of this phase done, those that are proved and not yet merged counting in part.
    package var done: Int {
      (verified + merged * mergeWeight) / (1 + mergeWeight)
    }
  }

  private let state = Mutex(Standing())

  package init() {}

  package var standing: Standing { state.withLock { $0 } }

  /// Begins a phase of so many bytes, each to be proved and, with a weight, merged.
  package func begin(_ phase: Phase, total: Int, mergeWeight: Int = 0) {
    state.withLock {
      $0.phase = phase
      $0.verified = 0
      $0.merged = 0
      $0.mergeWeight = mergeWeight
      $0.total = total
      $0.phases += 1
    }
  }

  /// Begins what remains when all bytes are done.
  package func finish() {
    state.withLock {
      $0.phase = .finishing
      $0.verified = $0.total
      $0.merged = $0.total
    }
  }

  package func advance(verified: Int = 0, merged: Int = 0, rows: Int = 0) {
    state.withLock {
      $0.verified += verified
      $0.merged += merged
      $0.rows += rows
    }
  }

  package func sources(done: Int, of total: Int) {
    state.withLock {
      $0.sourcesDone = done
      $0.sources = total
    }
  }
}
