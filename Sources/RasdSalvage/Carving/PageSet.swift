internal import RasdModel

extension PageSource {
  /// Reads some of the current pages on several tasks and hands the results over in order.
  func forEach<Result: Sendable>(
    of pages: [UInt32],
    workers: Int,
    _ transform: @escaping @Sendable (Page) -> Result,
    consume: (Result) throws(RasdError) -> Void
  ) async throws(RasdError) {
    let perTask = max(1, (256 << 10) / pageSize)
    let count = (pages.count + perTask - 1) / perTask
    let failure = await withTaskGroup(of: (Int, [Result]).self) { group -> RasdError? in
      var next = 0
      var wanted = 0
      var waiting: [Int: [Result]] = [:]
      func start() {
        guard next < count else { return }
        let task = next
        next += 1
        group.addTask {
          let numbers = pages[task * perTask..<min(pages.count, (task + 1) * perTask)]
          return (task, numbers.compactMap { self.current($0).map(transform) })
        }
      }
      for _ in 0..<max(1, workers) { start() }
      while let (task, results) = await group.next() {
        waiting[task] = results
        if next < wanted + 2 * max(1, workers) { start() }
        while let ready = waiting.removeValue(forKey: wanted) {
          wanted += 1
          for result in ready {
            do throws(RasdError) { try consume(result) } catch {
              group.cancelAll()
              return error
            }
          }
        }
        while next < min(count, wanted + max(1, workers)) { start() }
      }
      return nil
    }
    if let failure { throw failure }
  }
}
