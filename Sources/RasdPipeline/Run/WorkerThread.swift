import Glibc

/// A thread of the operating system with one body, for work that blocks.
///
/// Jobs are synchronous: a blocked thread costs a stack, a blocked task a worker of the
/// pool. `join` must be called once.
package struct WorkerThread {
  private let thread: pthread_t

  package init(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let failed = unsafe pthread_create(
      &thread,
      nil,
      { raw in
        if let raw = unsafe raw {
          let body = unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue()
          body.call()
        }
        return nil
      },
      box.toOpaque()
    )
    precondition(failed == 0, "the system refuses to start a thread")
    self.thread = thread
  }

  package func join() {
    _ = pthread_join(thread, nil)
  }

  private final class Body: Sendable {
    let call: @Sendable () -> Void
    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }
}
