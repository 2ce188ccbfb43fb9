internal import RasdModel
internal import Synchronization

/// A file under a temporary name, which goes with its last reference unless it was renamed.
final class SpoolFile: Sendable {
  let file: File

  init(_ file: consuming File) { self.file = file }

  // Nothing is there any more when it was given another name.
  deinit { File.remove(file.path) }
}

/// A blob whose bytes are written, not yet safe on disk and not yet under its name.
package struct WrittenBlob: Sendable {
  let spool: SpoolFile
  let sha256: SHA256Digest
  let bytes: Int
}

/// Waiting for the disk.
enum DiskWait {
  /// What waits at a time shares one commit of the file system's journal, which is what each
  /// wait is for: eight at a time cost a third of one after another.
  private static let atOnce = 8

  /// Calls `body` with each number below `count`, several at a time; throws one of its errors.
  static func each(
    _ count: Int,
    _ body: @escaping @Sendable (Int) throws(RasdError) -> Void
  ) throws(RasdError) {
    let next = Atomic<Int>(0)
    let failure = Mutex<RasdError?>(nil)
    let work: @Sendable () -> Void = {
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        do throws(RasdError) {
          try body(number)
        } catch {
          failure.withLock { $0 = error }
        }
      }
    }
    let helpers = (0..<min(count, atOnce)).dropFirst().map { _ in WorkerThread(work) }
    work()
    for helper in helpers { helper.join() }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
