internal import Synchronization

/// Work that a thread of its own does until somebody needs what comes of it.
package final class Aside<Output: Sendable>: Sendable {
  private final class Place: Sendable {
    let output = Mutex<Output?>(nil)
  }

  private let place = Place()
  private let thread: WorkerThread
  private let work: @Sendable () -> Output

  package init(_ work: @escaping @Sendable () -> Output) {
    let place = place
    self.work = work
    thread = WorkerThread {
      let made = work()
      place.output.withLock { $0 = made }
    }
  }

  /// Waits for what came of it, or works it out here where the system had no thread to give.
  ///
  /// To be called once: a thread can't outlive whoever began it.
  package func wait() -> Output {
    thread.join()
    return place.output.withLock { $0 } ?? work()
  }
}
