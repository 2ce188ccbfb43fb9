import Glibc
import Synchronization

/// Runs asynchronous work from the thread of a job, which waits for it.
enum Blocking {
  /// The job's own state goes along, since nobody else touches it while the job waits.
  static func run(_ body: @escaping () async -> Void) {
    let work = Work(body: body)
    Task.detached { await work.run() }
    work.wait()
  }

  /// Sendable because the thread that made it only waits until it has run.
  @safe private final class Work: @unchecked Sendable {
    private let body: () async -> Void
    private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(body: @escaping () async -> Void) {
      self.body = body
      unsafe sem_init(done, 0, 0)
    }

    deinit {
      unsafe sem_destroy(done)
      unsafe done.deallocate()
    }

    func run() async {
      await body()
      unsafe sem_post(done)
    }

    func wait() { while unsafe sem_wait(done) != 0 {} }
  }
}
