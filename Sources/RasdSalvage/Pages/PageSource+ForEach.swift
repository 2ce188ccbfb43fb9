package import RasdModel

extension PageSource {
  /// Calls `transform` for every current and disputed page on `workers` tasks.
  ///
  /// `consume` gets each result in the order of page numbers. Memory is bounded whatever the
  /// file's size.
  package func forEachPage<Result: Sendable>(
    workers: Int,
    _ transform: @escaping @Sendable (Page) -> Result,
    consume: (Result) throws(RasdError) -> Void
  ) async throws(RasdError) {
    let outside = pagesOutsideDatabase
    let perWindow = pagesPerWindow
    let inside = (Int(databaseCount) + perWindow - 1) / perWindow
    let beyond = (outside.count + perWindow - 1) / perWindow
    try await windows(inside + beyond, workers: workers, consume: consume) { window, decoder in
      var results: [Result] = []
      if window < inside {
        let first = window * perWindow + 1
        let count = min(perWindow, Int(self.databaseCount) - first + 1)
        let stored = StoredPages(
          self.database,
          first: UInt32(first),
          count: count,
          self.layout
        )
        for number in UInt32(first)..<UInt32(first + count) {
          if let frame = self.overlay.newest[number] {
            if let page = self.read(frame, .current, decoder) { results.append(transform(page)) }
          } else if self.isInDatabase(number) {
            results.append(transform(self.decode(stored, number, .current, decoder)))
          }
          for page in self.disputed(number) { results.append(transform(page)) }
        }
      } else {
        let from = (window - inside) * perWindow
        for number in outside[from..<min(from + perWindow, outside.count)] {
          if let frame = self.overlay.newest[number],
            let page = self.read(frame, .current, decoder)
          {
            results.append(transform(page))
          }
          for page in self.disputed(number) { results.append(transform(page)) }
        }
      }
      return results
    }
  }

  /// The same for history, oldest first: journal pre-images, superseded database pages, WAL
  /// frames that are superseded, uncommitted or of an earlier generation.
  package func forEachHistoricalPage<Result: Sendable>(
    workers: Int,
    _ transform: @escaping @Sendable (Page) -> Result,
    consume: (Result) throws(RasdError) -> Void
  ) async throws(RasdError) {
    let history = overlay.history
    let perWindow = pagesPerWindow
    let count = (history.count + perWindow - 1) / perWindow
    try await windows(count, workers: workers, consume: consume) { window, decoder in
      let from = window * perWindow
      return history[from..<min(from + perWindow, history.count)]
        .compactMap { self.read($0, decoder).map(transform) }
    }
  }

  /// Pages that only WAL frames hold, past the end of the file or without a number.
  private var pagesOutsideDatabase: [UInt32] {
    Set(overlay.newest.keys).union(overlay.disputed.keys)
      .filter { $0 == 0 || $0 > databaseCount }.sorted()
  }

  /// 512 KiB: long enough that a task switch is nothing beside it, short enough that a few of them
  /// a core, decrypted and turned into rows, stay far below 64 MiB.
  private var pagesPerWindow: Int { max(1, (1 << 19) / pageSize) }

  /// Runs `work` for windows 0..<count, at most two a worker at once, and hands their results
  /// over in order.
  private func windows<Result: Sendable>(
    _ count: Int,
    workers: Int,
    consume: (Result) throws(RasdError) -> Void,
    _ work: @escaping @Sendable (Int, PageDecoder) -> [Result]
  ) async throws(RasdError) {
    let workers = max(1, workers)
    let failure = await withTaskGroup(of: (Int, [Result]).self) { group -> RasdError? in
      var next = 0
      var wanted = 0
      var waiting: [Int: [Result]] = [:]
      func start() {
        guard next < count else { return }
        let window = next
        next += 1
        group.addTask { (window, self.withDecoder { work(window, $0) }) }
      }
      for _ in 0..<workers { start() }
      while let (window, results) = await group.next() {
        waiting[window] = results
        // The next window begins before these results are consumed, so that no core waits.
        if next < wanted + 2 * workers { start() }
        while let ready = waiting.removeValue(forKey: wanted) {
          wanted += 1
          for result in ready {
            do throws(RasdError) {
              try consume(result)
            } catch {
              group.cancelAll()
              return error
            }
          }
        }
        while next < min(count, wanted + workers) { start() }
      }
      return nil
    }
    if let failure { throw failure }
  }
}
