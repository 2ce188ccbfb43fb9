import Synchronization

/// How far a run is, written by its workers and read by whoever shows it.
package final class Progress: Sendable {
  /// What the run is at; the raw value is what reports and people read.
  package enum Phase: String, Sendable {
    case looking, opening, verifying, merging, writing, checking, recovering, finishing
  }

  package struct Standing: Sendable {
    package var phase: Phase = .looking
    /// Bytes of this phase, done and in all.
    package var done = 0
    package var total = 0
    /// Sources of this run, finished and in all.
    package var sourcesDone = 0
    package var sources = 0
    package var rows = 0
    /// Rises by one each time a phase begins, so that a rate starts anew.
    package var phases = 0
  }

  private let state = Mutex(Standing())

  package init() {}

  package var standing: Standing { state.withLock { $0 } }

  package func begin(_ phase: Phase, total: Int) {
    state.withLock {
      $0.phase = phase
      $0.done = 0
      $0.total = total
      $0.phases += 1
    }
  }

  package func advance(bytes: Int = 0, rows: Int = 0) {
    state.withLock {
      $0.done += bytes
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
