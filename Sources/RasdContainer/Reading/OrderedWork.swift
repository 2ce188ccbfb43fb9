import Glibc
import RasdModel

/// Numbered items worked on by several threads, their results handed over in order.
///
/// The calling thread is one of the workers: it hands over what is ready and works on items
/// while nothing is, so that two workers on two cores have no third thread to wait for. How far
/// work runs ahead is bounded by a number of items and by their weight.
package enum OrderedWork {
  /// What may be in hand at once: one item always, more only within both bounds.
  package struct Ahead: Sendable {
    let items: Int
    let weight: Int

    package init(items: Int, weight: Int) {
      self.items = items
      self.weight = weight
    }
  }

  /// Calls `consume` on this thread for each item in order; what it throws ends the work.
  ///
  /// `weight`: of an item that is taken up. `held`: what it comes to when its work is done; the
  /// same where nothing is said.
  /// `makeWorker` is called once on each thread, and what it makes stays there.
  package static func run<Output: Sendable, Failure: Error>(
    _ items: Range<Int>,
    workers: Int,
    ahead: Ahead,
    weight: @escaping @Sendable (Int) -> Int,
    held: (@Sendable (Output) -> Int)? = nil,
    makeWorker: @escaping @Sendable () -> (Int) -> Output,
    consume: (Int, consuming Output) throws(Failure) -> Void
  ) throws(Failure) {
    let work = makeWorker()
    guard workers > 1, items.count > 1 else {
      for item in items { try consume(item, work(item)) }
      return
    }
    let queue = Queue<Output>(items, ahead: ahead, weight: weight, held: held)
    let helpers = (1..<min(workers, items.count)).map { _ in
      WorkerThread { queue.help(makeWorker()) }
    }
    defer {
      queue.stop()
      for helper in helpers { helper.join() }
    }
    while let turn = queue.turn() {
      switch turn {
      case .consume(let item, let output):
        try consume(item, output)
        queue.consumed(item)
      case .work(let item): queue.put(work(item), for: item)
      }
    }
  }

  fileprivate enum Turn<Output> {
    case consume(Int, Output)
    case work(Int)
  }
}

/// What the threads share. Every member is read and written under the monitor alone.
// Sendable because of that.
private final class Queue<Output: Sendable>: @unchecked Sendable {
  private let monitor = Monitor()
  private let end: Int
  private let ahead: OrderedWork.Ahead
  private let weight: @Sendable (Int) -> Int
  private let held: (@Sendable (Output) -> Int)?
  private var results: [Int: (output: Output, held: Int)] = [:]
  private var next: Int
  private var head: Int
  private var weightAhead = 0
  /// Of the item that is being consumed.
  private var weightAtHead = 0
  private var isStopped = false

  init(
    _ items: Range<Int>,
    ahead: OrderedWork.Ahead,
    weight: @escaping @Sendable (Int) -> Int,
    held: (@Sendable (Output) -> Int)?
  ) {
    (next, head, end) = (items.lowerBound, items.lowerBound, items.upperBound)
    self.ahead = ahead
    self.weight = weight
    self.held = held
  }

  /// What the calling thread does next; nil when all is done.
  func turn() -> OrderedWork.Turn<Output>? {
    monitor.locked {
      while head < end {
        if let result = results.removeValue(forKey: head) {
          weightAtHead = result.held
          return .consume(head, result.output)
        }
        if let item = take() { return .work(item) }
        monitor.wait()
      }
      return nil
    }
  }

  /// A helper's life.
  func help(_ work: (Int) -> Output) {
    while let item = nextItem() { put(work(item), for: item) }
  }

  func put(_ output: Output, for item: Int) {
    let reserved = weight(item)
    let weight = held?(output) ?? reserved
    monitor.locked {
      results[item] = (output, weight)
      weightAhead += weight - reserved
      if item == head || weight < reserved { monitor.wakeAll() }
    }
  }

  func consumed(_ item: Int) {
    monitor.locked {
      head = item + 1
      weightAhead -= weightAtHead
      monitor.wakeAll()
    }
  }

  func stop() {
    monitor.locked {
      isStopped = true
      monitor.wakeAll()
    }
  }

  private func nextItem() -> Int? {
    monitor.locked {
      while !isStopped, next < end {
        if let item = take() { return item }
        monitor.wait()
      }
      return nil
    }
  }

  private func take() -> Int? {
    guard next < end else { return nil }
    let more = weight(next)
    let fits = next - head < ahead.items && weightAhead + more <= ahead.weight
    guard next == head || fits else { return nil }
    weightAhead += more
    next += 1
    return next - 1
  }
}
