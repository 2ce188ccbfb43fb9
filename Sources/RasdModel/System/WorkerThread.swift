internal import Glibc

/// A thread that runs one closure to its end.
package struct WorkerThread {
  private let handle: pthread_t?
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Where the system has no thread to give, nothing runs: the other workers do the work.
  package init(_ run: @escaping @Sendable () -> Void) {
    let body = unsafe Unmanaged.passRetained(Body(run))
    var made = pthread_t()
    let failure = unsafe pthread_create(
      &made,
      nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      },
      body.toOpaque()
    )
    if failure != 0 { unsafe body.release() }
    handle = failure == 0 ? made : nil
  }

  /// Whether the system had a thread to give.
  package var isThere: Bool { handle != nil }

  package func join() {
    if let handle { pthread_join(handle, nil) }
  }
}
