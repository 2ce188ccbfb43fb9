internal import Glibc
internal import Synchronization

/// Whole pages of memory for secrets, since locking and keeping out of dumps work by the page.
///
/// Single pages are kept for the next secret: six system calls cost more than sealing a chunk.
@safe enum LockedPages {
  /// Erased pages that are kept at most; more are there only while more secrets live at once.
  private static let keptAtMost = 64

  // Sendable because whoever holds a page here holds the only reference to it.
  @safe private struct Page: @unchecked Sendable { let start: UnsafeMutableRawPointer }

  private static let kept = Mutex<[Page]>([])
  private static let pageSize = sysconf(CInt(_SC_PAGESIZE))

  /// Zeroed pages, at least one.
  static func take(_ capacity: Int) -> UnsafeMutableRawBufferPointer {
    let size = max(1, (capacity + pageSize - 1) / pageSize) * pageSize
    if size == pageSize, let page = kept.withLock({ $0.popLast() }) {
      return unsafe UnsafeMutableRawBufferPointer(start: page.start, count: size)
    }
    let start = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      preconditionFailure("out of memory")
    }
    // A lock that the system refuses (its limit is per process) is done without.
    unsafe mlock(start, size)
    unsafe madvise(start, size, MADV_DONTDUMP)
    unsafe madvise(start, size, MADV_WIPEONFORK)
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
  }

  /// Takes back pages that their user has erased.
  static func giveBack(_ pages: UnsafeMutableRawBufferPointer) {
    guard let start = pages.baseAddress else { return }
    let page = unsafe Page(start: start)
    let isKept =
      pages.count == pageSize
      && kept.withLock { kept in
        guard kept.count < keptAtMost else { return false }
        kept.append(page)
        return true
      }
    if !isKept { unsafe munmap(start, pages.count) }
  }
}
