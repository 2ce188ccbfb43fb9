import RasdModel
import Synchronization

/// Whether the person, or the machine, asked this run to stop.
///
/// Jobs look between batches and finish what they have begun; the store is whole either way.
package final class Interrupt: Sendable {
  private let signal = Atomic<Int32>(0)

  package init() {}

  /// Records the first signal; answers whether one had come before.
  package func request(signal number: Int32) -> Bool {
    !signal.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
  }

  package var requested: Bool { signal.load(ordering: .relaxed) != 0 }

  /// Throws `interrupted` once the run was asked to stop.
  func check() throws(RasdError) {
    if requested { throw RasdError(.unavailable, .interrupted) }
  }

  /// The status of a run that was stopped; nil where it was not.
  package var status: ExitStatus? {
    switch signal.load(ordering: .relaxed) {
    case 0: nil
    case 15: .terminated
    default: .interrupted
    }
  }
}
